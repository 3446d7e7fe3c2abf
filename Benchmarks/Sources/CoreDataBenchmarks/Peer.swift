import CoreData

/// SQLAlchemy doing the work of benchmarks, in a process of its own for each: `Benchmarks/Peers/sqlalchemy_peer.py`.
struct Peer {
    private let python: URL
    private let script: String
    private let folder: URL

    /// Nil where the environment names no Python that has SQLAlchemy.
    init?(_ environment: [String: String], workbench: Workbench) {
        guard let python = environment["BENCH_PEER"], let script = environment["BENCH_PEER_SCRIPT"], !python.isEmpty
        else { return nil }
        self.python = URL(fileURLWithPath: python)
        self.script = script
        folder = workbench.folder
    }

    /// The median of some runs in seconds; nil for work that is not among what it does.
    func seconds(of code: String, size: Int) throws -> Double? {
        let process = Process()
        process.executableURL = python
        process.arguments = [script, code, String(size), folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("SQLAlchemy could not do the work of \(code)") }
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
