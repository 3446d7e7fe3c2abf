import CoreData

/// The graph in the language of Graphviz.
package struct GraphSource {
    private let graph: ModelGraph

    package init(_ graph: ModelGraph) { self.graph = graph }

    // MARK: For readers

    /// The source of a drawing with all texts, which `dot` renders in any picture format.
    package var text: String {
        var lines = [
            "digraph {",
            "  graph [label=<\(GraphText.xml(graph.title))>, labelloc=t, fontname=\"Helvetica\", rankdir=TB, "
                + "nodesep=0.8, ranksep=1.1]",
            "  node [shape=plain, fontname=\"Helvetica\", fontsize=12]",
            "  edge [fontname=\"Helvetica\", fontsize=10, labeldistance=2.2]",
        ]
        for (number, box) in graph.boxes.enumerated() { lines.append("  n\(number) [label=<\(table(box))>]") }
        for (child, parent) in graph.inheritance {
            lines.append("  n\(parent) -> n\(child) [dir=back, arrowtail=empty, arrowsize=1.4]")
        }
        for line in graph.lines { lines.append("  " + text(line)) }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private func table(_ box: ModelGraph.Box) -> String {
        let name = GraphText.xml(box.name)
        let title = box.isAbstract ? "<I>\(name)</I>" : "<B>\(name)</B>"
        var text = "<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\">"
        text += "<TR><TD COLSPAN=\"2\">\(title)</TD></TR>"
        if !box.rows.isEmpty { text += "<HR/>" }
        for (name, type) in box.rows {
            text +=
                "<TR><TD ALIGN=\"LEFT\">\(GraphText.xml(name))</TD><TD ALIGN=\"LEFT\">\(GraphText.xml(type))</TD></TR>"
        }
        return text + "</TABLE>"
    }

    private func text(_ line: ModelGraph.Line) -> String {
        let arrow: (ModelGraph.End) -> String = { $0.isToMany ? "veevee" : "vee" }
        var values = ["headlabel=<\(GraphText.xml(line.end.label ?? ""))>", "arrowhead=\(arrow(line.end))"]
        if let label = line.start.label {
            values += ["dir=both", "taillabel=<\(GraphText.xml(label))>", "arrowtail=\(arrow(line.start))"]
        } else {
            values.append("style=dashed")
        }
        return "n\(line.start.box) -> n\(line.end.box) [\(values.joined(separator: ", "))]"
    }

    // MARK: For the layout

    /// The boxes as bare rectangles and the lines without arrows, with room between them for the labels.
    func bareText(_ ports: GraphPorts) -> String {
        // An empty table as the label of a line makes `dot` reserve room beside its middle.
        var lines = [
            "digraph {", "  graph [nodesep=0.7, ranksep=0.8, rankdir=TB, splines=spline, pack=40, packmode=\"graph\"]",
            "  node [shape=record, fixedsize=true]", "  edge [dir=none]",
        ]
        for number in graph.boxes.indices {
            let size = ports.size(of: number, in: graph)
            let strips = (0..<ports.counts[number]).map { "<p\($0)>" }.joined(separator: "|")
            lines.append(
                "  n\(number) [width=\(size.width / 72), height=\(size.height / 72), label=\"\(strips)\"]")
        }
        for (number, (child, parent)) in graph.inheritance.enumerated() {
            let start = end(parent, strip: ports.inheritance[parent] ?? 0, ports: ports)
            lines.append("  \(start) -> n\(child) [id=e\(number), weight=3]")
        }
        for (number, line) in graph.lines.enumerated() {
            let widths = [line.start.label, line.end.label].compactMap(\.self).map(GraphMetrics.labelWidth)
            let room =
                "<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"\(Int(widths.max() ?? 10))\" "
                + "HEIGHT=\"\(Int(GraphMetrics.labelHeight) * 2)\"><TR><TD></TD></TR></TABLE>>"
            let ends = (
                end(line.start.box, strip: ports.lines[number].start, ports: ports),
                end(line.end.box, strip: ports.lines[number].end, ports: ports)
            )
            let id = "e\(graph.inheritance.count + number)"
            lines.append("  \(ends.0) -> \(ends.1) [id=\(id), label=\(room)]")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private func end(_ box: Int, strip: Int, ports: GraphPorts) -> String {
        ports.counts[box] > 1 ? "n\(box):p\(strip)" : "n\(box)"
    }
}
