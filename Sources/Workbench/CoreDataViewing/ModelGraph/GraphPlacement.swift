import CoreData

/// The center of a box in a drawing that the user can rearrange, in points; y grows downwards.
package struct GraphPlace: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Computes positions for the boxes of a graph, without routing its lines.
package struct GraphPlacement {
    /// The number of boxes above which `sfdp` is used: `dot` would take minutes, the spring model of `sfdp` less than a
    /// second.
    private static let greatestLayered = 80
    private static let gap = 60.0

    private let graph: ModelGraph

    package init(_ graph: ModelGraph) { self.graph = graph }

    /// The width and height of a box.
    package static func size(of box: ModelGraph.Box) -> (width: Double, height: Double) { GraphMetrics.size(of: box) }

    /// The distance of the column of types from the left side of a box.
    package static func typeColumn(of box: ModelGraph.Box) -> Double {
        GraphMetrics.margin + GraphMetrics.nameColumn(of: box) + GraphMetrics.columnGap
    }

    /// Returns the position of each box by the box's name.
    ///
    /// Graphviz places up to `greatestLayered` boxes as in the drawing of `coredata model graph`, and more of them with
    /// `sfdp`. If Graphviz fails or is not installed, the boxes are placed in rows.
    package func places() -> [String: GraphPlace] { (try? arranged()) ?? inRows() }

    private func arranged() throws -> [String: GraphPlace] {
        guard !graph.boxes.isEmpty else { return [:] }
        guard graph.boxes.count > Self.greatestLayered else {
            let areas = try GraphLayout(of: graph).boxes
            let middles = areas.map { GraphPlace(x: $0.x + $0.width / 2, y: $0.y + $0.height / 2) }
            return Dictionary(zip(graph.boxes.map(\.name), middles), uniquingKeysWith: { first, _ in first })
        }
        let data = try GraphvizProcess.run(
            ["-Ksfdp", "-Goverlap=prism", "-Gsep=+20", "-Tjson0"], input: source)
        guard let result = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw GraphvizProcess.failure("what it printed is not understood")
        }
        var places: [String: GraphPlace] = [:]
        for object in result["objects"] as? [[String: Any]] ?? [] {
            guard let name = object["name"] as? String, let number = Int(name.dropFirst()),
                graph.boxes.indices.contains(number), let text = object["pos"] as? String
            else { continue }
            let parts = text.split(separator: ",").compactMap { Double($0) }.filter { $0.isFinite && abs($0) < 1e7 }
            guard parts.count == 2 else { continue }
            places[graph.boxes[number].name] = GraphPlace(x: parts[0], y: -parts[1])
        }
        guard places.count == Set(graph.boxes.map(\.name)).count else {
            throw GraphvizProcess.failure("it gave an entity no place")
        }
        return places
    }

    private var source: String {
        var lines = [
            "digraph {", "  node [shape=box, fixedsize=true, label=\"\"]", "  edge [dir=none]",
        ]
        for (number, box) in graph.boxes.enumerated() {
            let size = Self.size(of: box)
            lines.append("  n\(number) [width=\(size.width / 72), height=\(size.height / 72)]")
        }
        lines += graph.inheritance.map { "  n\($0.parent) -> n\($0.child) " }
        lines += graph.lines.map { "  n\($0.start.box) -> n\($0.end.box)" }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private func inRows() -> [String: GraphPlace] {
        let sizes = graph.boxes.map(Self.size)
        let area = sizes.reduce(0) { $0 + ($1.width + Self.gap) * ($1.height + Self.gap) }
        let greatest = max(area.squareRoot() * 1.4, sizes.map(\.width).max() ?? 0)
        var places: [String: GraphPlace] = [:]
        var (x, y, height) = (0.0, 0.0, 0.0)
        for (box, size) in zip(graph.boxes, sizes) {
            if x > 0, x + size.width > greatest { (x, y, height) = (0, y + height + Self.gap, 0) }
            places[box.name] = GraphPlace(x: x + size.width / 2, y: y + size.height / 2)
            (x, height) = (x + size.width + Self.gap, max(height, size.height))
        }
        return places
    }

    /// Adds positions for the boxes that have none, below all others.
    package func completing(_ places: [String: GraphPlace]) -> [String: GraphPlace] {
        let missing = graph.boxes.filter { places[$0.name] == nil }
        guard !missing.isEmpty else { return places }
        var places = places
        let known = graph.boxes.compactMap { box in places[box.name].map { ($0, Self.size(of: box)) } }
        let bottom = known.map { $0.0.y + $0.1.height / 2 }.max() ?? 0
        var x = known.map { $0.0.x - $0.1.width / 2 }.min() ?? 0
        for box in missing {
            let size = Self.size(of: box)
            places[box.name] = GraphPlace(x: x + size.width / 2, y: bottom + Self.gap + size.height / 2)
            x += size.width + Self.gap
        }
        return places
    }
}
