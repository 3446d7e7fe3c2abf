import CRawBaseline
import CoreData

/// A run of another program: how long it took, and the most memory that it had in use.
struct TimedProcess {
    let seconds: Double
    /// In bytes, as read from the system every few milliseconds.
    let peak: Double
    /// Its standard output.
    let output: String

    /// Runs the command-line tool, which is built beside this program.
    static func tool(_ arguments: [String]) throws -> Self {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let tool = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("coredata")
        return try Self(tool, arguments)
    }

    /// Runs a program to its end.
    ///
    /// - Throws: If it cannot be run, or ends with another status than 0.
    init(_ program: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        let start = raw_now()
        try process.run()
        var peak = 0
        // What these programs print fits into the pipe.
        while process.isRunning {
            peak = max(peak, (try? ProcessMemory.peak(of: "\(process.processIdentifier)")) ?? 0)
            Thread.sleep(forTimeInterval: 0.005)
        }
        seconds = raw_now() - start
        self.peak = Double(peak)
        output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failure("\(program.lastPathComponent) ended with \(process.terminationStatus): \(output)")
        }
    }
}
