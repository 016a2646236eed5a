// The help, made from the table of options, so that it names all that exists and nothing else.

/// What `--help` prints.
enum HelpText {
    /// One screen on the command as a whole.
    static let command = """
        mirror brings folders in line with what servers have: it fetches what is
        missing, resumes what was cut short, replaces what changed, and reports it.

        Usage:
          mirror sync SOURCE... [-d DIR] [options]   bring DIR in line with SOURCE
          mirror list SOURCE... [options]            print SOURCE as a manifest
          mirror help sync, mirror help list         all options
          mirror --version                           versions of it and its libraries

        SOURCE is a manifest (a text file with one URL a line), an index (a URL that
        ends in «/», or any HTML, XML or JSON listing), a bucket, a feed, a Metalink
        file, a list of checksums, or a report that mirror wrote: a file, «-» for
        standard input, or a URL.

        """

    /// What a command line that cannot be understood gets.
    static let usage = """
        Usage: mirror sync SOURCE... [-d DIR] [options]
               mirror list SOURCE... [options]
        Try «mirror --help».

        """

    /// Everything on `mirror sync`.
    static let sync = syncStart + optionText(OptionTable.sync) + syncEnd

    private static let syncStart = """
        Usage: mirror sync SOURCE... [-d DIR] [options]

        Bring DIR in line with SOURCE: every entry is compared with the local file, and
        what is missing, short, too long or changed is fetched. Old files stay until
        their new versions are complete. A run that was interrupted goes on where it
        ended when it is started again.

        SOURCE is a manifest (a text file with one URL a line), an index (a URL that
        ends in «/», or any HTML, XML or JSON listing), a bucket, a feed, a Metalink
        file, a list of checksums, or a report that mirror wrote: a file, «-» for
        standard input, or a URL.

        """

    /// Everything on `mirror list`.
    static let list = listStart + optionText(OptionTable.list) + listEnd

    private static let listStart = """
        Usage: mirror list SOURCE... [options]

        Print what SOURCE names as a manifest, which «mirror sync» turns into the same
        tree. Nothing is fetched but the source itself.

        """

    private static let listEnd = """

        Exit codes:
          0  all of it is listed
          1  a part could not be read, or cannot be written as a manifest
          2  bad usage or bad source

        Examples:
          mirror list https://example.org/pub/ > manifest.txt
          mirror list SHA256SUMS --base https://example.org/pub/SHA256SUMS

        """

    private static let syncEnd = """

        The form of SOURCE is found from its content; --from forces it: manifest, html,
        xml, json, metalink, sums, report, or dav, which asks for folders by PROPFIND.
        GLOB is written as for rsync: * and ? stop at a slash, ** does not, a slash at
        the start ties it to DIR, one at the end to folders; the first rule that matches
        decides. --delete removes only what mirror itself once fetched, after all else
        went well, and nothing when the source could not be read in whole.
        SIZE and RATE take k, M, G, T (powers of 1024); T takes ms, s, m, h, d and is in
        seconds without. The proxy variables of the environment are honoured.

        Exit codes:
          0  in line: everything is as the source says (with -n: the plan was made)
          1  the run finished, but some entries failed
          2  bad usage or bad source: nothing was touched
          3  ended early (signal, --max-time): run again to go on
          4  another run holds the lock of DIR
          5  DIR is unusable: not writable, read-only, disk full

        Examples:
          mirror sync -n manifest.txt -d /srv/pub
              show what a run would do
          mirror sync manifest.txt -d /srv/pub -q --report /var/log/mirror.json
              a nightly run by cron that only speaks when something failed
          mirror sync https://example.org/pub/ -d /srv/pub --trust-index --delete
              keep a whole tree in line with its index
          mirror sync --only failed /srv/pub/.mirror/report.json -d /srv/pub
              try again what failed in the last run

        """

    /// The longest option that still has its help beside it.
    private static let column = 33

    private static func optionText(_ options: [OptionDescription]) -> String {
        var text = ""
        for group in OptionDescription.Group.allCases {
            let rows = options.filter { $0.group == group }.map(row)
            if !rows.isEmpty { text += "\n\(group.rawValue):\n" + rows.joined() }
        }
        return text + "\n" + row("  -h, --help", "print this")
    }

    private static func row(_ option: OptionDescription) -> String {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        let value = option.placeholder.map { " " + $0 } ?? ""
        let standard = option.standard.map { " [\($0)]" } ?? ""
        return row("  \(letter)--\(option.name)\(value)", option.help + standard)
    }

    private static func row(_ option: String, _ help: String) -> String {
        let blanks = column - option.utf8.count
        let gap = blanks > 0 ? String(repeating: " ", count: blanks) : "\n" + String(repeating: " ", count: column)
        return option + gap + help + "\n"
    }
}
