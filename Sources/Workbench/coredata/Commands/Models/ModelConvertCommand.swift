import CoreDataExchange
import CoreDataPrinting

/// `model convert`: writes a model in another form.
struct ModelConvertCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "convert"],
        summary: "Writes a model in another form: source, compiled or JSON, as the ending of the result's name says.",
        operands: [
            CommandOperand(
                name: "IN", help: CommandOperand.model.help + " Or a store, of which the model that it keeps is taken."),
            CommandOperand(
                name: "OUT", help: "A .xcdatamodeld, .xcdatamodel, .momd, .mom or .json that is not there yet."),
        ],
        options: [
            Option(
                "version", value: "NAME",
                help: "The version to take, alone; all versions or the current one without it.")
        ],
        details: [
            "The result is read back before it gets its name, and must have the version hashes of the original.",
            "What a form cannot say, such as the layout of the editor in a compiled model, is printed on standard error, a "
                + "line each. JSON is what 'model show --format json' prints; no model can be made of it.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let target = arguments.path(1)
        _ = try ModelForm(of: target)
        let origin = try ModelOrigin(at: arguments.path(0))
        var conversion = try ModelConversion(origin, version: arguments["version"], to: target)
        for loss in try conversion.run() {
            StandardError.write("\(Release.name): lost: \(PrintableText.escaped(loss, limit: 500))")
        }
    }
}
