import SwiftSyntax

/// Rewrites sources made for Apple's systems so that they build there and here.
///
/// What it does not understand it leaves and names. Rewriting what has been rewritten changes nothing.
package struct SourcePort: Sendable {
    /// The files that change, in the order in which they were found.
    package private(set) var files: [PortedFile] = []
    /// What is left to do by hand, by file and place.
    package private(set) var findings: [PortFinding] = []
    /// How many Swift sources were looked at.
    package let count: Int

    /// Finds what is to be changed in Swift sources, files or all in a folder; nothing is written.
    ///
    /// - Throws: `ModelingError` `.unreadable` for a path where there is nothing.
    package init(of paths: [String]) throws {
        let search = try SourceSearch(paths)
        self = try DeepStack.run { SourcePort(search) }
    }

    private init(_ search: SourceSearch) {
        count = search.sources.count
        findings = search.findings
        let facts = Self.facts(of: search.sources.map(\.url))
        var aliases = AliasFiles()
        for (url, folder) in search.sources {
            port(url, facts) { aliases.add(url, in: folder) }
        }
        for file in aliases.files(unless: facts) { files.append(file) }
        findings.sort { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    private static func facts(of sources: [URL]) -> SourceFacts {
        var facts = SourceFacts()
        // Sources that cannot be read are told of when they are to be rewritten.
        for url in sources { (try? ParsedSource(url)).map { facts.add($0.tree) } }
        return facts
    }

    private mutating func port(_ url: URL, _ facts: SourceFacts, namesAmbiguousType: () -> Void) {
        do {
            let source = try ParsedSource(url)
            var port = FilePort(path: url.path, bytes: source.bytes, facts: facts)
            port.run(source.tree)
            findings += port.findings
            if !port.edits.isEmpty {
                files.append(PortedFile(path: url.path, before: source.bytes, edits: port.edits))
            }
            if port.namesAmbiguousType { namesAmbiguousType() }
        } catch {
            let message = (error as? ParsedSource.Refusal)?.message ?? String(describing: error)
            findings.append(PortFinding(file: url.path, message: message))
        }
    }

    /// Writes the files that change, each of them whole or not at all.
    ///
    /// - Throws: `ModelingError` `.unwritable`, also for a file that another hand has changed since; those before it are
    ///   written.
    package func write() throws {
        for file in files {
            let url = URL(fileURLWithPath: file.path)
            guard ((try? Data(contentsOf: url)) ?? Data()) == Data(file.before) else {
                throw ModelingError(.unwritable, "it has changed since it was read").at(path: file.path)
            }
            try AtomicFile.write(Data(file.after), to: url)
        }
    }
}
