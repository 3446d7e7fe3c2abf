import CoreData

/// Routes the lines of a graph around boxes with given positions, and places the names at the ends of the lines.
package struct GraphRouting {
    /// The route of a line.
    package struct Way: Sendable {
        /// The points of a cubic Bézier curve: one, then three for each segment.
        package let points: [GraphPlace]
        /// The positions of the names at its start and its end: the middle of the text's baseline.
        package let start: GraphPlace?
        package let end: GraphPlace?
    }

    /// The number of boxes above which lines are not routed, since that takes seconds.
    private static let mostBoxes = 80

    /// The routes from entities to their subentities, in the graph's order.
    package private(set) var inheritance: [Way] = []
    /// The routes of the lines from start to end, in the graph's order.
    package private(set) var lines: [Way] = []

    /// Nil if Graphviz is missing or fails, if a box has no place, and for a graph without boxes or with too many.
    package init?(_ graph: ModelGraph, _ places: [String: GraphPlace]) {
        let known = graph.boxes.compactMap { places[$0.name] }
        guard (1...Self.mostBoxes).contains(graph.boxes.count), known.count == graph.boxes.count,
            let curves = try? Self.curves(graph, known)
        else { return nil }
        let areas = zip(graph.boxes, known).map { box, place in
            let size = GraphMetrics.size(of: box)
            return GraphArea(
                x: place.x - size.width / 2, y: place.y - size.height / 2, width: size.width, height: size.height)
        }
        let paths = curves.map(GraphCurve.samples)
        var placement = LabelPlacement(boxes: areas, paths: paths)
        for (number, curve) in curves.enumerated() {
            let points = curve.map { GraphPlace(x: $0.x, y: $0.y) }
            guard number >= graph.inheritance.count else {
                inheritance.append(Way(points: points, start: nil, end: nil))
                continue
            }
            let line = graph.lines[number - graph.inheritance.count]
            func place(_ label: String?, _ path: [GraphPoint]) -> GraphPlace? {
                label.map {
                    let area = placement.place($0, along: path, of: number)
                    return GraphPlace(x: area.x + area.width / 2, y: area.y + area.height - 4)
                }
            }
            let start = place(line.start.label, paths[number])
            lines.append(Way(points: points, start: start, end: place(line.end.label, paths[number].reversed())))
        }
    }

    private static func curves(_ graph: ModelGraph, _ places: [GraphPlace]) throws -> [[GraphPoint]] {
        let data = try GraphvizProcess.run(["-Kneato", "-n2", "-Tjson0"], input: source(graph, places))
        guard let result = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let objects = result["objects"] as? [[String: Any]],
            let first = objects.first(where: { $0["name"] as? String == "n0" }),
            let origin = numbers(first["pos"]), origin.count == 2
        else { throw GraphvizProcess.failure("what it printed is not understood") }
        // Graphviz moves the drawing to its own origin, and its y grows upwards.
        let (dx, dy) = (places[0].x - origin[0], places[0].y + origin[1])
        let edges = Dictionary(
            (result["edges"] as? [[String: Any]] ?? []).compactMap { edge in (edge["id"] as? String).map { ($0, edge) }
            },
            uniquingKeysWith: { first, _ in first })
        return try (0..<graph.inheritance.count + graph.lines.count).map { number in
            guard let parts = numbers(edges["e\(number)"]?["pos"]), parts.count >= 8, parts.count % 6 == 2 else {
                throw GraphvizProcess.failure("it gave a relationship no way")
            }
            return stride(from: 0, to: parts.count, by: 2).map {
                GraphPoint(x: parts[$0] + dx, y: dy - parts[$0 + 1])
            }
        }
    }

    private static func numbers(_ value: Any?) -> [Double]? {
        guard let parts = (value as? String)?.split(whereSeparator: { $0 == "," || $0 == " " }) else { return nil }
        let numbers = parts.compactMap { Double($0) }.filter { $0.isFinite && abs($0) < 1e7 }
        return numbers.count == parts.count ? numbers : nil
    }

    private static func source(_ graph: ModelGraph, _ places: [GraphPlace]) -> String {
        var lines = [
            "digraph {", "  graph [splines=true, esep=\"+8\"]", "  node [shape=box, fixedsize=true, label=\"\"]",
            "  edge [dir=none]",
        ]
        for (number, (box, place)) in zip(graph.boxes, places).enumerated() {
            let size = GraphMetrics.size(of: box)
            lines.append(
                "  n\(number) [width=\(size.width / 72), height=\(size.height / 72), pos=\"\(place.x),\(-place.y)\"]")
        }
        for (number, (child, parent)) in graph.inheritance.enumerated() {
            lines.append("  n\(parent) -> n\(child) [id=e\(number)]")
        }
        for (number, line) in graph.lines.enumerated() {
            lines.append("  n\(line.start.box) -> n\(line.end.box) [id=e\(graph.inheritance.count + number)]")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }
}
