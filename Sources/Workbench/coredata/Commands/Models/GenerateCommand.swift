import CoreData
import CoreDataModelCompiler
import CoreDataPrinting

/// `generate`: writes the Swift classes of a model's entities as sources for a repository.
struct GenerateCommand: Command {
    let syntax = CommandSyntax(
        name: ["generate"],
        summary: "Writes the Swift classes of a model's entities, as Xcode does.",
        operands: [.model],
        options: [
            Option("output", letter: "o", value: "FOLDER", help: "Where to write; the folder is made."),
            Option(
                "style", value: "class|extension",
                help:
                    "Whether to write classes with their properties, or properties only; class by default.",
                choices: SourceGeneration.Style.allCases.map(\.rawValue)),
            Option("entity", value: "NAME", help: "The only entity to write; all without it."),
            Option("snippet", value: "NAME", help: "Prints what the sources have of one property, and writes nothing."),
            Option(
                "numbers", value: "scalar|object",
                help: "The types of numbers and dates; without it as each attribute says.",
                choices: ["scalar", "object"]),
            Option("required", help: "Gives required attributes types that are not optional."),
            Option("sets", help: "Gives relationships to many the type Set of their class instead of NSSet."),
            Option("validation", help: "Adds an empty rule for each attribute to classes that are not there yet."),
            Option("keep-model", help: "Leaves the entities' classes in the model as they are."),
        ],
        details: [
            "NAME+CoreDataClass.swift is written once and never touched again: it is the place for code of your own. "
                + "NAME+CoreDataProperties.swift is rewritten when the model has changed.",
            "An entity without a class gets one of its name, which is entered in the model's source.",
            "Entities whose classes the build generates too are named on standard error: set their code generation to "
                + "manual.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let options = ClassOptions(
            usesScalars: arguments["numbers"].map { $0 == "scalar" }, unwrapsRequired: arguments.has("required"),
            typesSets: arguments.has("sets"), addsValidation: arguments.has("validation"), ownsEveryClass: true)
        let generation = try SourceGeneration(of: arguments.path(0), entity: arguments["entity"], options: options)
        if let key = arguments["snippet"] { return output.write(try generation.snippet(of: key)) }
        let style = arguments["style"].flatMap(SourceGeneration.Style.init) ?? .class
        for (name, outcome) in try generation.write(to: arguments.output(), style: style) {
            output.write("\(outcome.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0))  \(name)\n")
        }
        if !arguments.has("keep-model") {
            for entity in try generation.fillClasses() { output.write("model      \(entity) names its class\n") }
        }
        warn(of: generation)
    }

    /// Warns of the classes that the build would generate too.
    private func warn(of generation: SourceGeneration) {
        for subject in generation.classes where subject.generation != .manual {
            let entity = PrintableText.escaped(subject.entityName ?? subject.name)
            StandardError.write("\(Release.name): warning: the build generates the class of '\(entity)' too")
        }
    }
}
