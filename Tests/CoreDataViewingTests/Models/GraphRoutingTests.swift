import CoreData
import CoreDataViewing
import CoreDataWorkbench
import StoreContract
import Testing

@Suite(
    "Ways of a diagram's lines",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dot"), "Graphviz is not installed"))
struct GraphRoutingTests {
    /// Twenty entities, of which some are tall, some stand alone, two inherit, and one has a line to itself.
    static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        for number in 0..<20 {
            let names = (0..<(number % 4 == 0 ? 24 : 3)).map { "attribute\($0)" }
            builder.entity("Entity\(number)").properties = names.map { name in
                let attribute = NSAttributeDescription()
                (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
                return attribute
            }
        }
        for number in 1..<12 {
            builder.relationships("Entity\(number).parent", "Entity\(number / 2).children\(number)*")
        }
        builder.relationships("Entity1.former", "Entity0.later*")
        builder.reflexive("Entity3.peers*")
        return builder.model
    }

    private static func graph() -> ModelGraph {
        let version = ModelVersion(name: "", model: model(), isCurrent: true, url: URL(fileURLWithPath: "/"))
        return ModelGraph(version, attributes: .types, showsDeleteRules: false)
    }

    @Test("lines lead around boxes from border to border, and names lie upon no box (BRW-33)")
    func linesLeadAroundBoxesFromBorderToBorder() throws {
        let graph = Self.graph()
        let places = GraphPlacement(graph).places()
        let routing = try #require(GraphRouting(graph, places))
        #expect(routing.lines.count == graph.lines.count && graph.lines.count == 13)
        let boxes = try graph.boxes.map { box in
            let (place, size) = (try #require(places[box.name]), GraphPlacement.size(of: box))
            return (x: place.x, y: place.y, width: size.width, height: size.height)
        }
        func isWithin(_ point: GraphPlace, _ box: Int, by margin: Double) -> Bool {
            abs(point.x - boxes[box].x) < boxes[box].width / 2 - margin
                && abs(point.y - boxes[box].y) < boxes[box].height / 2 - margin
        }
        for (line, way) in zip(graph.lines, routing.lines) {
            let (first, last) = (try #require(way.points.first), try #require(way.points.last))
            #expect(!isWithin(first, line.start.box, by: 2) && isWithin(first, line.start.box, by: -6))
            #expect(!isWithin(last, line.end.box, by: 2) && isWithin(last, line.end.box, by: -6))
            let middles = way.points.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
            for place in middles + [way.start, way.end].compactMap(\.self) {
                for box in boxes.indices { #expect(!isWithin(place, box, by: 2), "\(line) \(graph.boxes[box].name)") }
            }
            #expect((way.start != nil) == (line.start.label != nil) && way.end != nil)
        }
    }

    @Test("entities that stand alone are packed beside the others (BRW-33, TOOL-08)")
    func entitiesThatStandAloneArePackedBesideOthers() throws {
        let graph = Self.graph()
        let places = GraphPlacement(graph).places().values
        let width = (places.map(\.x).max() ?? 0) - (places.map(\.x).min() ?? 0)
        let height = (places.map(\.y).max() ?? 0) - (places.map(\.y).min() ?? 0)
        #expect(width / height < 2.5, "\(width) x \(height)")
    }
}
