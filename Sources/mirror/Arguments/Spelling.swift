// Which name the user may have meant.

/// Compares words as they are typed.
enum Spelling {
    /// The most similar of the names, or nil where none is similar enough to be worth a question.
    static func nearest(to word: String, among names: [String]) -> String? {
        let word = Array(word.utf8)
        // Longer words are no slips, and the comparison is quadratic.
        guard word.count >= 2, word.count <= 40 else { return nil }
        if let longer = names.first(where: { $0.utf8.starts(with: word) }) { return longer }
        let most = word.count < 5 ? 1 : word.count < 9 ? 2 : 3
        let distances = names.map { (name: $0, distance: distance(word, Array($0.utf8))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= most else { return nil }
        return best.name
    }

    /// How many letters must be put in, taken out, changed or swapped with their neighbour.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[right.count]
    }
}
