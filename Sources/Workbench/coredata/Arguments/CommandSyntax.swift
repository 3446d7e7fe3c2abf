import Foundation

/// The operands and options of a subcommand, for parsing and for its help.
struct CommandSyntax {
    /// The words that name the command.
    let name: [String]
    /// One sentence about what the command does.
    let summary: String
    let operands: [CommandOperand]
    let options: [Option]
    /// Further paragraphs of the help.
    var details: [String] = []
}

/// A positional argument of a command.
struct CommandOperand {
    let name: String
    let help: String
    /// Whether one or more words may be given; only for the last operand.
    var isRepeated = false
    /// Whether the operand may be omitted; then all that follow it may be omitted too.
    var isOptional = false
}

/// An option, which begins with two dashes, and its value.
struct Option {
    let name: String
    /// The name of the value in help; nil for an option without a value.
    let value: String?
    let help: String
    /// The values that are allowed; any if empty.
    let choices: [String]
    /// The letter of the option's short form with a single dash.
    let letter: String?
    /// Whether it may be given several times.
    let isRepeated: Bool

    init(
        _ name: String, letter: String? = nil, value: String? = nil, help: String, choices: [String] = [],
        isRepeated: Bool = false
    ) {
        self.name = name
        self.letter = letter
        self.isRepeated = isRepeated
        self.value = value
        self.help = help
        self.choices = choices
    }
}
