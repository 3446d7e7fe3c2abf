import SwiftSyntax

/// Saves whose errors sources ignore, found without types: by the names of calls and what is done with their errors.
///
/// The clauses of every `#if` are read. A line with the comment `coredata:ignored` accepts what it has.
package struct SaveLint: Sendable {
    /// What was found, in the order of the sources; also sources that cannot be read.
    package private(set) var findings: [PortFinding] = []
    /// The number of Swift sources found.
    package let count: Int

    /// The comment by which a source says that an error is ignored on purpose.
    static let mark = "coredata:ignored"

    /// Reads the Swift sources at paths of files or folders, including nested folders.
    ///
    /// - Throws: `ModelingError` `.unreadable` for a path where there is nothing.
    package init(of paths: [String]) throws {
        let search = try SourceSearch(paths)
        self = try DeepStack.run { SaveLint(search) }
    }

    private init(_ search: SourceSearch) {
        count = search.sources.count
        search.parse {
            add($0, file: $1)
        } refuse: {
            findings.append($0)
        }
    }

    private mutating func add(_ source: ParsedSource, file: String) {
        let places = SourceLocationConverter(fileName: file, tree: source.tree)
        let lines = String(decoding: source.bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        SyntaxWalk.visitAll(source.tree) { node in
            guard let message = IgnoredError.message(for: node) else { return }
            let place = node.startLocation(converter: places, afterLeadingTrivia: true)
            let isAccepted = lines.indices.contains(place.line - 1) && lines[place.line - 1].contains(Self.mark)
            guard !isAccepted else { return }
            findings.append(PortFinding(file: file, line: place.line, column: place.column, message: message))
        }
    }
}
