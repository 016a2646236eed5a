print("mirror")
