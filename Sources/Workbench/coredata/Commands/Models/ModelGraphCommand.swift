import CoreDataExchange
import CoreDataPrinting
import CoreDataViewing

/// `model graph`: draws a model.
struct ModelGraphCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "graph"], summary: "Draws the entities of a model with inheritance and relationships.",
        operands: [
            CommandOperand(
                name: "MODEL",
                help: CommandOperand.model.help + " Or a store, of which the model that it keeps is taken.")
        ],
        options: [
            Option(
                "output", letter: "o", value: "PATH",
                help: "Where to write: OUT.svg, a drawing, or OUT.dot, a text for Graphviz. A file there is replaced."),
            Option(
                "attributes", value: "none|names|types",
                help: "What the boxes show of the attributes; types by "
                    + "default, with ? for optional ones.",
                choices: ModelGraph.AttributeDetail.allCases.map(\.rawValue)),
            Option("delete-rules", help: "Writes the delete rule behind the name of each relationship."),
            Option("version", value: "NAME", help: "The version to draw; the current one without it."),
        ],
        details: [
            "A line is a relationship with its inverse, a dashed one has none. One arrowhead leads to one object, two to "
                + "many. The name at an arrowhead is that of the relationship which leads there. A hollow arrowhead points "
                + "from a sub-entity to its parent; abstract entities are in italics.",
            "The drawing is light or dark as its reader prefers. Graphviz ('apt-get install graphviz') arranges it.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let target = try arguments.output()
        guard ["svg", "dot"].contains(target.pathExtension) else {
            throw arguments.error("--output takes a .svg or .dot, not '\(target.lastPathComponent)'")
        }
        let version = try SwiftModels.origin(at: arguments.path(0)).version(arguments["version"])
        let detail = arguments["attributes"].flatMap(ModelGraph.AttributeDetail.init)
        let graph = ModelGraph(
            version, attributes: detail ?? .types, showsDeleteRules: arguments.has("delete-rules"))
        let text = try target.pathExtension == "dot" ? GraphSource(graph).text : drawing(of: graph)
        try AtomicFile.write(Data(text.utf8), to: target)
    }

    private func drawing(of graph: ModelGraph) throws -> String {
        var drawing = try GraphDrawing(graph)
        return drawing.svg
    }
}
