import CoreData

/// A graph as an SVG drawing.
package struct GraphDrawing {
    private static let border = 24.0
    private static let headLength = 10.0

    private let graph: ModelGraph
    private let layout: GraphLayout
    private var body: [String] = []
    /// The bounds of the drawing: labels may lie beyond the layout.
    private var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)

    /// Arranges a graph by Graphviz.
    ///
    /// - Throws: `InspectionError` if Graphviz is missing or fails.
    package init(_ graph: ModelGraph) throws {
        self.graph = graph
        layout = try GraphLayout(of: graph)
        (right, bottom) = (layout.width, layout.height)
    }

    /// The drawing as SVG, whose colours follow the reader's choice of light or dark.
    package var svg: String {
        mutating get {
            body = []
            drawLines()
            for (box, area) in zip(graph.boxes, layout.boxes) { draw(box, area) }
            let (x, y) = (left - Self.border, top - Self.border)
            let (width, height) = (right - left + 2 * Self.border, bottom - top + 2 * Self.border)
            let frame = "\(Self.text(x)) \(Self.text(y)) \(Self.text(width)) \(Self.text(height))"
            let head = """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.text(width))" height="\(Self.text(height))" \
                viewBox="\(frame)" role="img">
                <title>\(GraphText.xml(graph.title))</title>
                <style>\(Self.style)</style>
                <rect class="page" x="\(Self.text(x))" y="\(Self.text(y))" width="\(Self.text(width))" \
                height="\(Self.text(height))"/>
                """
            return ([head] + body + ["</svg>"]).joined(separator: "\n") + "\n"
        }
    }

    private static let style = """

        text { font-family: Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; fill: #1c2430; }
        .page { fill: #ffffff; }
        .box rect { fill: #f7f9fc; stroke: #5b6b82; stroke-width: 1.2; }
        .box .head { fill: #dce6f5; }
        .box line { stroke: #5b6b82; }
        .name { font-size: 14px; font-weight: bold; text-anchor: middle; }
        .abstract .name { font-style: italic; }
        .abstract rect { stroke-dasharray: 5 3; }
        .row { font-size: 12px; }
        .type { font-size: 12px; fill: #5a6675; }
        .label { font-size: 11px; text-anchor: middle; fill: #2d4a7c; stroke: #ffffff; stroke-width: 3px; \
        paint-order: stroke; }
        path { fill: none; stroke: #4a6596; stroke-width: 1.3; }
        .single { stroke-dasharray: 6 4; }
        .inherits { stroke: #7a7f87; }
        .head-many, .head-one { fill: #4a6596; }
        .head-parent { fill: #ffffff; stroke: #7a7f87; stroke-width: 1.3; }
        @media (prefers-color-scheme: dark) {
        text { fill: #e4e9f0; }
        .page { fill: #16191f; }
        .box rect { fill: #1f242d; stroke: #8291a8; }
        .box .head { fill: #2c3a52; }
        .box line { stroke: #8291a8; }
        .type { fill: #a3afbf; }
        .label { fill: #a9c4f5; stroke: #16191f; }
        path { stroke: #88a8dc; }
        .inherits { stroke: #a0a6af; }
        .head-many, .head-one { fill: #88a8dc; }
        .head-parent { fill: #16191f; stroke: #a0a6af; }
        }

        """

    // MARK: Boxes

    private mutating func draw(_ box: ModelGraph.Box, _ area: GraphArea) {
        let (x, y, width) = (area.x, area.y, area.width)
        body.append("<g class=\"\(box.isAbstract ? "box abstract" : "box")\">")
        body.append(
            "<rect x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" width=\"\(Self.text(width))\" "
                + "height=\"\(Self.text(area.height))\" rx=\"5\"/>")
        body.append(
            "<rect class=\"head\" x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" width=\"\(Self.text(width))\" "
                + "height=\"\(Self.text(GraphMetrics.titleHeight))\" rx=\"5\"/>")
        write(box.name, kind: "name", x: x + width / 2, y: y + 19)
        let column = x + GraphMetrics.margin + GraphMetrics.nameColumn(of: box) + GraphMetrics.columnGap
        for (index, row) in box.rows.enumerated() {
            let line = y + GraphMetrics.titleHeight + 16 + Double(index) * GraphMetrics.rowHeight
            write(row.name, kind: "row", x: x + GraphMetrics.margin, y: line)
            if !row.type.isEmpty { write(row.type, kind: "type", x: column, y: line) }
        }
        body.append("</g>")
    }

    private mutating func write(_ text: String, kind: String, x: Double, y: Double) {
        body.append(
            "<text class=\"\(kind)\" x=\"\(Self.text(x))\" y=\"\(Self.text(y))\">\(GraphText.xml(text))</text>")
    }

    // MARK: Lines

    private mutating func drawLines() {
        let paths = layout.curves.map(GraphCurve.samples)
        var placement = LabelPlacement(boxes: layout.boxes, paths: paths)
        for (number, curve) in layout.curves.enumerated() {
            guard number >= graph.inheritance.count else {
                let (child, parent) = graph.inheritance[number]
                draw(curve, kind: "inherits", title: "\(graph.boxes[child].name) : \(graph.boxes[parent].name)")
                drawParentHead(paths[number])
                continue
            }
            let line = graph.lines[number - graph.inheritance.count]
            draw(curve, kind: line.isPair ? "pair" : "single", title: title(of: line))
            drawHead(line.end, paths[number].reversed())
            if line.isPair { drawHead(line.start, paths[number]) }
        }
        for (number, line) in graph.lines.enumerated() {
            let index = number + graph.inheritance.count
            for (end, path) in [(line.start, paths[index]), (line.end, paths[index].reversed())] {
                guard let label = end.label else { continue }
                let area = placement.place(label, along: path, of: index)
                cover(area)
                write(label, kind: "label", x: area.x + area.width / 2, y: area.y + area.height - 4)
            }
        }
    }

    private mutating func cover(_ area: GraphArea) {
        (left, top) = (min(left, area.x), min(top, area.y))
        (right, bottom) = (max(right, area.x + area.width), max(bottom, area.y + area.height))
    }

    /// The tooltip of a line.
    private func title(of line: ModelGraph.Line) -> String {
        let there = "\(graph.boxes[line.start.box].name).\(line.end.label ?? "")"
        return line.start.label.map { "\(there) – \(graph.boxes[line.end.box].name).\($0)" } ?? there
    }

    private mutating func draw(_ curve: [GraphPoint], kind: String, title: String) {
        let points = curve.map { "\(Self.text($0.x)),\(Self.text($0.y))" }
        let rest = points.dropFirst().joined(separator: " ")
        body.append(
            "<path class=\"\(kind)\" d=\"M\(points.first ?? "0,0") C\(rest)\"><title>\(GraphText.xml(title, limit: 200))</title></path>"
        )
    }

    /// Draws one arrowhead at a to-one end, two at a to-many end; the path begins at that end.
    private mutating func drawHead(_ end: ModelGraph.End, _ path: [GraphPoint]) {
        drawTriangle(path, from: 0, length: Self.headLength, width: 4.5, end.isToMany ? "head-many" : "head-one")
        if end.isToMany { drawTriangle(path, from: 8, length: Self.headLength, width: 4.5, "head-many") }
    }

    private mutating func drawParentHead(_ path: [GraphPoint]) {
        drawTriangle(path, from: 0, length: 13, width: 7.5, "head-parent")
    }

    private mutating func drawTriangle(
        _ path: [GraphPoint], from start: Double, length: Double, width: Double, _ kind: String
    ) {
        let (tip, back) = (Self.point(path, at: start), Self.point(path, at: start + length))
        let size = max(hypot(back.x - tip.x, back.y - tip.y), 0.001)
        let (x, y) = (-(back.y - tip.y) / size * width, (back.x - tip.x) / size * width)
        let corners = [tip, GraphPoint(x: back.x + x, y: back.y + y), GraphPoint(x: back.x - x, y: back.y - y)]
        let points = corners.map { "\(Self.text($0.x)),\(Self.text($0.y))" }.joined(separator: " ")
        body.append("<polygon class=\"\(kind)\" points=\"\(points)\"/>")
    }

    /// The point of a path at a distance from its beginning.
    private static func point(_ path: [GraphPoint], at distance: Double) -> GraphPoint {
        var left = distance
        for (one, next) in zip(path, path.dropFirst()) {
            let step = hypot(next.x - one.x, next.y - one.y)
            if step >= left, step > 0 {
                let share = left / step
                return GraphPoint(x: one.x + (next.x - one.x) * share, y: one.y + (next.y - one.y) * share)
            }
            left -= step
        }
        return path.last ?? GraphPoint(x: 0, y: 0)
    }

    /// A number with at most two decimals, independent of the locale.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
