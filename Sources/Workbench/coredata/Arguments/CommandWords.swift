import Foundation

/// The words of the command line as the system hands them over.
enum CommandWords {
    /// The words after the program's name.
    ///
    /// - Throws: `UsageError` for one that is not UTF-8: repaired, it would be saved as another text than was given.
    static func read() throws -> [String] {
        try (1..<max(1, Int(CommandLine.argc))).compactMap { number in
            guard let bytes = CommandLine.unsafeArgv[number] else { return nil }
            guard let word = String(validatingCString: bytes) else {
                throw UsageError("word \(number) of the command line is not UTF-8", command: nil)
            }
            return word
        }
    }
}
