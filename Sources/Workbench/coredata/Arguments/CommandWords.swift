import Foundation

/// Reads the words of the command line from the system.
enum CommandWords {
    /// The words after the program's name.
    ///
    /// - Throws: `UsageError` for a word that is not UTF-8: with replaced bytes, another text than the given one would
    ///   be saved.
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
