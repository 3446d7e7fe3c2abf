import Foundation

/// An error of the command line itself.
struct UsageError: Error, CustomStringConvertible {
    let message: String
    let hint: String?
    /// The words of the command whose help has the details; nil before a command is known.
    let command: [String]?

    init(_ message: String, hint: String? = nil, command: [String]?) {
        self.message = message
        self.hint = hint
        self.command = command
    }

    var description: String { hint.map { "\(message) (\($0))" } ?? message }
}
