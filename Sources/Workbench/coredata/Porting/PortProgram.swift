import CoreDataPrinting
import CoreDataWorkbench
import ProgramKit

/// A report that `coredata-port` prints.
protocol ProgramReport: Decodable {
    /// Why the program did nothing, or not everything; nil if it did everything.
    var failure: String? { get }
}

/// The program `coredata-port`, which rewrites sources; it is built beside a Swift toolchain, whose SwiftSyntax it links.
enum PortProgram {
    private static let name = "coredata-port"

    /// Why a report could not be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs the program on sources, files or folders with all sources in them.
    ///
    /// - Throws: `Failure` if the program does not exist, does not run, or reports why it did nothing.
    static func run(on paths: [String], writing: Bool) throws -> ReadPortReport {
        try report((writing ? ["--write"] : []) + paths)
    }

    /// Runs the program on sources, files or folders, for the texts in them.
    ///
    /// - Throws: `Failure`, as `run(on:writing:)`.
    static func texts(in paths: [String]) throws -> ReadTextReport { try report(["--texts"] + paths) }

    /// Runs the program on sources, files or folders, for saves whose errors they ignore.
    ///
    /// - Throws: `Failure`, as `run(on:writing:)`.
    static func lint(_ paths: [String]) throws -> ReadLintReport { try report(["--lint"] + paths) }

    /// Runs the program on sources, files or folders, for the models that classes with `@Model` in them declare.
    ///
    /// - Throws: `Failure`, as `run(on:writing:)`.
    static func models(in paths: [String]) throws -> ReadModelReport { try report(["--models"] + paths) }

    private static func report<Report: ProgramReport>(_ words: [String]) throws -> Report {
        guard let program = ProgramSearch.find(name, in: ProgramSearch.ownFolders + ProgramSearch.folders) else {
            throw Failure(
                description:
                    "\(name), which rewrites sources, is not there: it is built beside a Swift toolchain, with "
                    + "'swift build --product \(name)' in OpenCoreData's sources or in a package that uses it. "
                    + "Have it beside \(Release.name) or in PATH.")
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            throw Failure(description: "'\(program.path)' cannot be started: \(error.localizedDescription)")
        }
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0,
            let report = try? JSONDecoder().decode(Report.self, from: printed)
        else {
            throw Failure(
                description: "'\(program.path)' failed, or is of another version than \(Release.name) "
                    + "\(Release.version): build both from the same sources.")
        }
        if let failure = report.failure { throw Failure(description: failure) }
        return report
    }
}
