import SwiftSyntax

/// Rewrites sources made for Apple's systems so that they build there and here.
///
/// It leaves code that it cannot rewrite unchanged and reports it. Rewriting a rewritten source changes nothing.
package struct SourcePort: Sendable {
    /// The files that change, in the order in which they were found.
    package private(set) var files: [PortedFile] = []
    /// What is left to do by hand, sorted by file, line and column.
    package private(set) var findings: [PortFinding] = []
    /// Remarks about rewrites that require no manual change.
    package private(set) var notes: [PortFinding] = []
    /// The number of Swift sources found.
    package let count: Int

    /// Computes the changes to Swift sources at paths of files or folders, including nested folders; writes nothing.
    ///
    /// - Throws: `ModelingError` `.unreadable` for a path where there is nothing.
    package init(of paths: [String]) throws {
        let search = try SourceSearch(paths)
        self = try DeepStack.run { SourcePort(search) }
    }

    private init(_ search: SourceSearch) {
        count = search.sources.count
        findings = search.findings
        var folders: [String: ModuleFolder] = [:]
        var facts = SourceFacts()
        var read: [(url: URL, folder: URL, source: ParsedSource, module: ModuleFolder)] = []
        for (url, folder) in search.sources {
            guard let source = parse(url) else { continue }
            let module = ModuleFolder(of: url, in: folder, known: &folders)
            facts.add(source.tree, path: url.path, folder: module.url)
            read.append((url, folder, source, module))
        }
        var ports = read.map { FilePort(path: $0.url.path, source: $0.source, facts: facts, module: $0.module) }
        Self.rewrite(&ports, facts)
        var aliases = AliasFiles()
        for (port, source) in zip(ports, read) {
            findings += port.findings
            notes += port.notes
            if !port.edits.isEmpty {
                files.append(PortedFile(path: port.path, before: source.source.bytes, edits: port.edits))
            }
            if port.namesAmbiguousType { aliases.add(source.url, in: source.folder) }
            aliases.add(port.foreignTypes, of: source.url, in: source.folder)
        }
        for file in aliases.files(unless: facts) { files.append(file) }
        findings.sort { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// Parses a source; one that cannot be parsed is reported and skipped.
    private mutating func parse(_ url: URL) -> ParsedSource? {
        do {
            return try ParsedSource(url)
        } catch {
            let message = (error as? ParsedSource.Refusal)?.message ?? String(describing: error)
            findings.append(PortFinding(file: url.path, message: message))
            return nil
        }
    }

    /// Applies the rules: first gates code that needs Apple's modules, then rewrites each source, then moves members
    /// between files.
    private static func rewrite(_ ports: inout [FilePort], _ facts: SourceFacts) {
        var searches = ports.map { GateSearch($0.tree, imports: $0.appleImports) }
        Gating.find(&searches, declared: facts.types)
        for index in ports.indices {
            ports[index].gate(searches[index])
            ports[index].run()
            ports[index].finish()
        }
        for index in ports.indices { move(from: index, &ports, facts) }
        for index in ports.indices { ports[index].addClassEnds() }
    }

    /// Moves members of a file's extensions into the bodies of their classes, in the same file if it has the class.
    private static func move(from index: Int, _ ports: inout [FilePort], _ facts: SourceFacts) {
        for move in ports[index].moves {
            let files = facts.classFiles[move.type] ?? []
            let own = ports[index].path
            let module = ports[index].module.url.path
            let target =
                ports.indices.first { files.contains(own) && ports[$0].path == own }
                ?? ports.indices.first { files.contains(ports[$0].path) && ports[$0].module.url.path == module }
                ?? ports.indices.first { files.contains(ports[$0].path) }
            guard let target, let lines = ports[index].take(move, to: ports[target].path) else { continue }
            _ = ports[target].insert(lines, intoClass: move.type)
            if target != index { ports[target].addImports(of: ports[index]) }
        }
    }

    /// Writes the files that change, each of them completely or not at all.
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
