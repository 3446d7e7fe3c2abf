import CoreData

/// The words after a command, parsed into operands and options.
///
/// An option's value is the next word, even if it begins with `-`, or the text after `=`. After `--` all words are
/// operands.
struct Arguments {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private let syntax: CommandSyntax

    /// Parses words by the syntax of a command.
    ///
    /// - Throws: `UsageError`.
    init(_ words: [String], syntax: CommandSyntax) throws {
        self.syntax = syntax
        var rest = words[...]
        var isPastOptions = false
        while let word = rest.popFirst() {
            if isPastOptions || !word.hasPrefix("-") || word == "-" {
                operands.append(word)
            } else if word == "--" {
                isPastOptions = true
            } else {
                try take(word, &rest)
            }
        }
        try checkOperands()
        for number in operands.indices {
            let operand = syntax.operands[min(number, syntax.operands.count - 1)]
            operands[number] = try read(operands[number], as: operand.name)
        }
    }

    /// The value of an option; nil if it was not given.
    subscript(option: String) -> String? { values[option]?.last }

    /// All values of an option that may be given several times.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// Whether an option without a value was given.
    func has(_ option: String) -> Bool { values[option] != nil }

    /// The value of an option that takes an integer of at least 0; 0 if it was not given.
    ///
    /// - Throws: `UsageError` for anything else.
    func number(_ option: String) throws -> Int {
        guard let text = self[option] else { return 0 }
        guard let number = Int(text), number >= 0 else {
            throw error("--\(option) takes a whole number of at least 0, not '\(PlaceWord.shown(text))'")
        }
        return number
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0].drop { $0 == "-" })
        let isName = word.hasPrefix("--")
        guard let option = syntax.options.first(where: { written == (isName ? $0.name : $0.letter) }) else {
            let near = NameSuggestion(for: written, in: syntax.options.map(\.name) + ["help"])
            throw error(
                "there is no option '\(PlaceWord.shown(parts[0]))'", hint: near?.question { "'--\($0)'" })
        }
        let name = option.name
        guard values[name] == nil || option.isRepeated else { throw error("--\(name) is given twice") }
        guard let valueName = option.value else {
            guard parts.count == 1 else { throw error("--\(name) takes no value") }
            values[name] = [""]
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw error("--\(name) needs a value: --\(name) \(valueName)")
        }
        guard option.choices.isEmpty || option.choices.contains(value) else {
            throw error("--\(name) takes \(option.choices.joined(separator: ", ")), not '\(PlaceWord.shown(value))'")
        }
        values[name, default: []].append(try read(value, as: valueName, of: "--\(name)"))
    }

    /// Converts a word for the operand or the option value called `name`: a word for a place becomes a path, or the URL
    /// of a server.
    private func read(_ word: String, as name: String, of option: String? = nil) throws -> String {
        guard let kind = PlaceWord.kind(of: name) else { return word }
        do {
            return try PlaceWord.read(word, kind)
        } catch {
            throw self.error("\(option ?? name) begins like a URL: \(error.cause)", hint: error.hint)
        }
    }

    private func checkOperands() throws {
        if operands.count < syntax.operands.count, !syntax.operands[operands.count].isOptional {
            throw error("\(syntax.operands[operands.count].name) is missing")
        }
        if operands.count > syntax.operands.count, syntax.operands.last?.isRepeated != true {
            throw error("'\(PlaceWord.shown(operands[syntax.operands.count]))' is an unexpected operand")
        }
    }

    /// The words that name the command.
    var command: String { syntax.name.joined(separator: " ") }

    /// The error for a command line that the command itself finds invalid.
    func error(_ message: String, hint: String? = nil) -> UsageError {
        UsageError(message, hint: hint, command: syntax.name)
    }
}
