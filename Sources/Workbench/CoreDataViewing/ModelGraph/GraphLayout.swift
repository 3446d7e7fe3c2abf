import CoreData

/// A point of a drawing, in typographic points; y grows downwards.
struct GraphPoint: Hashable {
    var x: Double
    var y: Double
}

/// An area of a drawing.
struct GraphArea {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    func overlaps(_ other: GraphArea) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    func contains(_ point: GraphPoint) -> Bool {
        point.x > x && point.x < x + width && point.y > y && point.y < y + height
    }
}

/// The positions of the boxes and lines of a graph, as Graphviz's `dot` arranges them.
struct GraphLayout {
    let width: Double
    let height: Double
    /// The area of each box, in the order of the graph.
    let boxes: [GraphArea]
    /// The points of the lines' cubic Bézier curves: one, then three for each segment. Lines of inheritance come first,
    /// then relationships.
    let curves: [[GraphPoint]]

    /// Arranges a graph by `dot` in two runs: the first places the boxes; by their order, the second spreads the ends
    /// of the lines.
    ///
    /// - Throws: `InspectionError` if `dot` is missing, fails, or takes too long.
    init(of graph: ModelGraph) throws {
        let preliminary = try GraphLayout(of: graph, GraphPorts(graph))
        try self.init(of: graph, GraphPorts(graph, boxes: preliminary.boxes))
    }

    private init(of graph: ModelGraph, _ ports: GraphPorts) throws {
        let data = try GraphvizProcess.run(["-Tjson0"], input: GraphSource(graph).bareText(ports))
        guard let result = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let frame = Self.numbers(result["bb"]), frame.count == 4
        else { throw GraphvizProcess.failure("what it printed is not understood") }
        width = frame[2]
        height = frame[3]
        let objects = result["objects"] as? [[String: Any]] ?? []
        let edges = result["edges"] as? [[String: Any]] ?? []
        let top = frame[3]
        boxes = try graph.boxes.indices.map { number in
            let place = objects.first { $0["name"] as? String == "n\(number)" }
            guard let center = Self.numbers(place?["pos"]), center.count == 2 else {
                throw GraphvizProcess.failure("it gave an entity no place")
            }
            let size = ports.size(of: number, in: graph)
            return GraphArea(
                x: center[0] - size.width / 2, y: top - center[1] - size.height / 2, width: size.width,
                height: size.height)
        }
        let byNumber = Dictionary(
            edges.compactMap { edge in (edge["id"] as? String).map { ($0, edge) } },
            uniquingKeysWith: { first, _ in first })
        curves = try (0..<graph.inheritance.count + graph.lines.count).map { number in
            let points = Self.points(byNumber["e\(number)"]?["pos"], top)
            guard points.count >= 4, points.count % 3 == 1 else {
                throw GraphvizProcess.failure("it gave a relationship no way")
            }
            return points
        }
    }

    private static func numbers(_ value: Any?) -> [Double]? {
        let parts = (value as? String)?.split(whereSeparator: { $0 == "," || $0 == " " })
        let numbers = parts?.compactMap { Double($0) }.filter { $0.isFinite && abs($0) < 1e7 }
        return numbers?.count == parts?.count ? numbers : nil
    }

    private static func points(_ value: Any?, _ top: Double) -> [GraphPoint] {
        guard let numbers = numbers(value) else { return [] }
        return stride(from: 0, to: numbers.count - 1, by: 2).map {
            GraphPoint(x: numbers[$0], y: top - numbers[$0 + 1])
        }
    }
}
