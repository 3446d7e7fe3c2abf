import Foundation

/// What a subcommand takes, for parsing and for its help.
struct CommandSyntax {
    /// The words that name the command.
    let name: [String]
    /// One sentence.
    let summary: String
    let operands: [CommandOperand]
    let options: [Option]
    /// Further paragraphs of the help.
    var details: [String] = []
}

/// A word that a command takes by its place.
struct CommandOperand {
    let name: String
    let help: String
    /// Whether one or more of it are taken; only the last can.
    var isRepeated = false
    /// Whether it can be left out, as then all that follow it are.
    var isOptional = false
}

/// A word that begins with two dashes, and its value.
struct Option {
    let name: String
    /// What the value is called; nil for an option that takes none.
    let value: String?
    let help: String
    /// The values that are allowed; any if empty.
    let choices: [String]
    /// The letter that stands for the name after a single dash.
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
