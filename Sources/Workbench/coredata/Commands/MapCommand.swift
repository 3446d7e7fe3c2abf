import CoreDataPrinting
import CoreDataViewing
import CoreDataWorkbench

/// `map`: prints the positions of an entity's objects by their coordinates, combined by a grid.
struct MapCommand: Command {
    let syntax = CommandSyntax(
        name: ["map"],
        summary:
            "Tells where objects of an entity are by their latitude and longitude, those near each other together.",
        operands: [.store, CommandOperand(name: "ENTITY", help: "The name of the entity.")],
        options: [
            .where,
            Option(
                "latitude", value: "KEY",
                help: "The latitude of the pair of attributes that is meant, where there are several."),
            Option(
                "box", value: "W,S,E,N",
                help:
                    "West, south, east and north in degrees; a west beyond the east crosses the date line. Without it a box around all."
            ),
            Option(
                "zoom", value: "N",
                help:
                    "How fine the grid is, from 0 to \(MapRequest.greatestZoom); what fits the box by default."
            ),
            .model,
            Option(
                "format", value: "table|json", help: "How to print the result; table by default.",
                choices: ["table", "json"]),
        ],
        details: [
            "A pair is two numbers whose names differ in latitude and longitude, lat and lon, lng or long alone, of the entity or "
                + "within one composite attribute.",
            "json is {\"entity\", \"pair\", \"pairs\", \"box\", \"zoom\", \"count\", \"where\", \"clusters\"}, as GET /stores/STORE/map of the browser; "
                + "\"where\" is the predicate of a list with the objects in the box.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let zoom = try arguments["zoom"] == nil ? nil : arguments.number("zoom")
        guard (0...MapRequest.greatestZoom).contains(zoom ?? 0) else {
            throw arguments.error("--zoom takes a whole number from 0 to \(MapRequest.greatestZoom)")
        }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        let question = try MapRequest(
            store.entity(named: arguments.operands[1]), in: store.store, where: arguments["where"],
            latitude: arguments["latitude"], box: arguments["box"], zoom: zoom)
        store.reportProblems()
        let map = try store.map(of: question)
        guard arguments["format"] != "json" else { return output.line(JSONWriter.lines(map.json)) }
        var table = TextTable(
            [
                .init(title: "latitude", isNumber: true), .init(title: "longitude", isNumber: true),
                .init(title: "count", isNumber: true), .init(title: "object", isNumber: false),
            ], limit: Terminal.width)
        for cluster in map.clusters {
            table.add(
                ["\(cluster.latitude)", "\(cluster.longitude)", "\(cluster.count)", cluster.object ?? ""], to: output)
        }
        table.finish(output)
    }
}
