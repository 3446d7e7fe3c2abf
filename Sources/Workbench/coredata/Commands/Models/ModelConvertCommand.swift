import CoreDataExchange
import CoreDataPrinting

/// `model convert`: writes a model in another form.
struct ModelConvertCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "convert"],
        summary:
            "Writes a model in another form: source, compiled, Swift or JSON, as the ending of the result's name says.",
        operands: [
            CommandOperand(
                name: "IN",
                help: CommandOperand.model.help
                    + " Or a store, of which the model that it keeps is taken; or a .swift, or a folder of them, with @Model "
                    + "classes."),
            CommandOperand(
                name: "OUT", help: "A .xcdatamodeld, .xcdatamodel, .momd, .mom, .swift or .json that is not there yet."),
        ],
        options: [
            Option(
                "version", value: "NAME",
                help: "The version to take, alone; all versions or the current one without it."),
            Option(
                "lossy",
                help: "Write the result even if it has other version hashes, because of what its form cannot say."),
        ],
        details: [
            "A .swift holds a class with @Model for each entity of one version. Each VersionedSchema in Swift is a version.",
            "The result is read back before it gets its name, and must have the version hashes of the original.",
            "What a form cannot say, such as the layout of the editor in a compiled model, is printed on standard error, a "
                + "line each. JSON is what 'model show --format json' prints; no model can be made of it.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let target = arguments.path(1)
        _ = try ModelForm(of: target)
        let source = arguments.path(0)
        let sources = SwiftModels.isSource(source) ? try SwiftModels(at: source) : nil
        for line in sources?.lines ?? [] { writeLoss(line) }
        if let sources, sources.report.omissions > 0, !arguments.has("lossy") {
            throw InspectionError(
                .modelMismatch, subject: source.path, cause: "the model would lack parts of the classes",
                hint: "nothing was written; with --lossy it is")
        }
        var conversion = try ModelConversion(
            sources?.origin ?? ModelOrigin(at: source), version: arguments["version"], to: target)
        conversion.allowsOtherHashes = arguments.has("lossy")
        conversion.readSource = { try SwiftModels(at: $0).origin.versions }
        defer { for loss in conversion.lostItems { writeLoss(loss) } }
        try conversion.run()
    }

    private func writeLoss(_ text: String) {
        StandardError.write("\(Release.name): lost: \(PrintableText.escaped(text, limit: 500))")
    }
}
