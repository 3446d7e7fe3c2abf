import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataWorkbench

/// `defaults`: prints and changes the settings of an application that property lists describe.
struct DefaultsCommand: Command {
    let syntax = CommandSyntax(
        name: ["defaults"], summary: "Prints the settings of an application that the browser shows, or changes one.",
        operands: [
            CommandOperand(name: "TITLE", help: "The title of the application."),
            CommandOperand(name: "KEY", help: "The name of a setting; all are printed without it.", isOptional: true),
            CommandOperand(name: "VALUE", help: "What the setting is to be: JSON, or else a text.", isOptional: true),
        ],
        options: [Option("delete", help: "Take the setting away.")],
        details: [
            "Settings are kept in $XDG_STATE_HOME/opencoredata, and written at once. A browser that shows the application reads them "
                + "when it starts."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let defaults = AppDefaults(title: arguments.operands[0], in: nil)
        guard arguments.operands.count > 1 else {
            guard !arguments.has("delete") else { throw arguments.error("--delete needs the name of a setting") }
            return output.line(JSONWriter.lines(defaults.all))
        }
        let key = arguments.operands[1]
        if arguments.operands.count > 2 {
            guard !arguments.has("delete") else { throw arguments.error("a value and --delete contradict each other") }
            return try change(defaults, key: key, value: Self.value(arguments.operands[2]))
        }
        guard let value = defaults[key] else {
            throw InspectionError(
                .unknownKey, subject: key, cause: "there is no such setting",
                hint: NameSuggestion(for: key, in: defaults.names)?.question)
        }
        guard !arguments.has("delete") else { return try change(defaults, key: key, value: .null) }
        output.line(JSONWriter.lines(value))
    }

    private func change(_ defaults: AppDefaults, key: String, value: JSONValue) throws {
        do {
            try defaults.set(key, value)
        } catch let failure as BrowserFailure {
            throw InspectionError(.badValue, subject: key, cause: failure.reason, hint: failure.hint)
        }
    }

    /// The text as one JSON value, or else as a string.
    private static func value(_ text: String) -> JSONValue {
        let values = (try? JSONReader.values(in: Array(text.utf8), of: "the value")) ?? []
        return values.count == 1 ? values[0] : .string(text)
    }
}
