import CoreData
import CoreDataModelEditing

extension EditedVersion {
    /// The diagram: `{"revision", "boxes", "ways"}`. A box of an entity is `{"item", "x", "y", "width", "height",
    /// "rows"}` with the center of the box, and its listed properties; lengths are in points.
    ///
    /// A way is a line that is routed around the boxes, `{"items", "points", "labels"}`: the relationship along the
    /// line and its inverse, x and y of the points of a curve, and the positions of the names at its end and its start.
    /// A way of inheritance has `"from"` and `"to"` in place of items. Without ways the page draws its own lines.
    /// Boxes keep their positions when the model is edited. The first positions are those that Xcode's editor wrote
    /// into the source, or else those that Graphviz computes.
    /// - Throws: `ModelingError` for a source that is not a model.
    mutating func diagramReport() throws -> JSONValue {
        let graph = try graph()
        let placement = GraphPlacement(graph)
        let known = places ?? placesInSource(for: graph)
        let all = known.map(placement.completing) ?? placement.places()
        places = all
        let boxes = graph.boxes.map { box in
            let size = GraphPlacement.size(of: box)
            let place = all[box.name] ?? GraphPlace(x: 0, y: 0)
            return JSONValue.object([
                ("item", .string(box.name)), ("x", .real(place.x)), ("y", .real(place.y)),
                ("width", .real(size.width)), ("height", .real(size.height)),
                ("typeColumn", .real(GraphPlacement.typeColumn(of: box))),
                ("rows", .array(box.rows.map { .array([.string($0.name), .string($0.type)]) })),
            ])
        }
        return .object([
            ("revision", .count(revision)), ("boxes", .array(boxes)), ("ways", .array(Self.ways(graph, all))),
        ])
    }

    private static func ways(_ graph: ModelGraph, _ places: [String: GraphPlace]) -> [JSONValue] {
        guard let routing = GraphRouting(graph, places) else { return [] }
        func numbers(_ points: [GraphPlace]) -> JSONValue {
            .array(points.flatMap { [$0.x, $0.y] }.map { .real(($0 * 10).rounded() / 10) })
        }
        let inheritance = zip(graph.inheritance, routing.inheritance).map { pair, way in
            JSONValue.object([
                ("from", .string(graph.boxes[pair.child].name)), ("to", .string(graph.boxes[pair.parent].name)),
                ("points", numbers(way.points.reversed())),
            ])
        }
        return inheritance
            + zip(graph.lines, routing.lines).map { line, way in
                let ends = [(line.start.box, line.end.label), (line.end.box, line.start.label)]
                let items = ends.compactMap { box, label in label.map { "\(graph.boxes[box].name).\($0)" } }
                return .object([
                    ("items", .array(items.map { .string($0) })), ("points", numbers(way.points)),
                    ("labels", .array([way.end, way.start].map { $0.map { numbers([$0]) } ?? .null })),
                ])
            }
    }

    /// Discards the positions of the boxes and arranges them again.
    mutating func forgetPlaces() { places = (try? graph()).map { GraphPlacement($0).places() } }

    private func graph() throws -> ModelGraph {
        let model = try document.makeModel().model
        let version = ModelVersion(name: "", model: model, isCurrent: true, url: URL(fileURLWithPath: "/"))
        return ModelGraph(version, attributes: .types, showsDeleteRules: false)
    }

    /// The positions that Xcode's editor has written into the source; nil if boxes would overlap.
    private func placesInSource(for graph: ModelGraph) -> [String: GraphPlace]? {
        let list = document.root.elements.first { $0.name == "elements" }?.elements ?? []
        var areas: [String: (place: GraphPlace, width: Double, height: Double)] = [:]
        for element in list {
            let numbers = ["positionX", "positionY", "width", "height"].compactMap { element[$0].flatMap(Double.init) }
            guard let name = element["name"], numbers.count == 4,
                numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }), numbers[2] > 0, numbers[3] > 0
            else { continue }
            areas[name] = (
                GraphPlace(x: numbers[0] + numbers[2] / 2, y: numbers[1] + numbers[3] / 2), numbers[2], numbers[3]
            )
        }
        guard !areas.isEmpty else { return nil }
        let sizes = graph.boxes.map { ($0.name, GraphPlacement.size(of: $0)) }
        // Boxes here differ in size from Xcode's, so positions are scaled by the ratio of the box that grows most.
        let wider = sizes.compactMap { name, size in areas[name].map { size.width / $0.width } }.max() ?? 1
        let higher = sizes.compactMap { name, size in areas[name].map { size.height / $0.height } }.max() ?? 1
        let places = areas.mapValues {
            GraphPlace(x: $0.place.x * min(max(wider, 1), 4), y: $0.place.y * min(max(higher, 1), 4))
        }
        let boxes = sizes.compactMap { name, size in places[name].map { ($0, size) } }
        guard boxes.count <= 500, !Self.overlap(boxes) else { return nil }
        return places
    }

    private static func overlap(_ boxes: [(GraphPlace, (width: Double, height: Double))]) -> Bool {
        boxes.enumerated().contains { number, one in
            boxes[(number + 1)...].contains { other in
                abs(one.0.x - other.0.x) < (one.1.width + other.1.width) / 2
                    && abs(one.0.y - other.0.y) < (one.1.height + other.1.height) / 2
            }
        }
    }
}
