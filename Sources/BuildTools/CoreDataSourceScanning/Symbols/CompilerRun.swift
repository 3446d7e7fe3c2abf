import CoreDataModelCompiler

/// Runs the Swift compiler of a toolchain.
struct CompilerRun {
    /// The `swift-frontend` or `swiftc` to run.
    let compiler: URL

    /// An error of a compiler run: the compiler's output, or why it could not start.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Distinguishes compilers that are installed in the same place.
    var identity: String {
        let file = compiler.resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        return "\(file) \(date)"
    }

    /// Runs the compiler's frontend and waits for it.
    ///
    /// - Throws: `Failure` with the compiler's output.
    func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = compiler
        process.arguments = ["-frontend"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw Failure(description: "The Swift compiler '\(compiler.path)' cannot be started: \(error).")
        }
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: said, as: UTF8.self))
        }
    }
}
