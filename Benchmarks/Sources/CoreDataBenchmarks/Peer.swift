import CoreData

/// Another library doing the work of benchmarks, in a process of its own for each: `Benchmarks/Peers`.
struct Peer {
    enum Library: String, CaseIterable {
        case sqlalchemy = "SQLAlchemy"
        case grdb = "GRDB"
    }

    let library: Library
    private let program: URL
    private let arguments: [String]
    private let folder: URL

    /// The libraries whose programs the environment names.
    static func all(_ environment: [String: String], workbench: Workbench) -> [Peer] {
        func named(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        var peers: [Peer] = []
        if let python = named("BENCH_PEER"), let script = named("BENCH_PEER_SCRIPT") {
            peers.append(Peer(.sqlalchemy, python, [script], workbench))
        }
        if let program = named("BENCH_GRDB_PROGRAM") { peers.append(Peer(.grdb, program, [], workbench)) }
        return peers
    }

    private init(_ library: Library, _ program: String, _ arguments: [String], _ workbench: Workbench) {
        self.library = library
        self.program = URL(fileURLWithPath: program)
        self.arguments = arguments
        folder = workbench.folder
    }

    /// The medians of some runs in seconds, one for each of a benchmark's first rows.
    ///
    /// There are none for a benchmark that the program does not know.
    func seconds(of code: String, size: Int) throws -> [Double] {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments + [code, String(size), folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        let times = lines.compactMap { Double($0) }
        guard process.terminationStatus == 0, times.count == lines.count else {
            throw Failure("\(library.rawValue) could not do the work of \(code)")
        }
        return times
    }
}
