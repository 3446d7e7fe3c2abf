import CoreData

/// Divides boxes into vertical strips, and assigns the ends of lines to strips, so that the lines of a box do not end
/// in one point.
struct GraphPorts {
    private static let stripWidth = 20.0

    /// The number of strips of each box; 0 for a box with at most one line.
    private(set) var counts: [Int]
    /// The strips of each line, at its start and its end, counted from the left.
    private(set) var lines: [(start: Int, end: Int)]

    /// The strip of a box at which the lines from its subentities end.
    private(set) var inheritance: [Int: Int] = [:]

    /// Leaves all boxes undivided.
    init(_ graph: ModelGraph) {
        counts = graph.boxes.map { _ in 0 }
        lines = graph.lines.map { _ in (0, 0) }
    }

    /// Gives every line a strip of its own, in the horizontal order of the boxes at the lines' other ends.
    init(_ graph: ModelGraph, boxes: [GraphArea]) {
        self.init(graph)
        var ends: [Int: [(line: Int, isStart: Bool, other: Double)]] = [:]
        for (number, line) in graph.lines.enumerated() where line.start.box != line.end.box {
            let middle = { (box: Int) in boxes[box].x + boxes[box].width / 2 }
            ends[line.start.box, default: []].append((number, true, middle(line.end.box)))
            ends[line.end.box, default: []].append((number, false, middle(line.start.box)))
        }
        for (parent, pairs) in Dictionary(grouping: graph.inheritance, by: \.parent) {
            let places = pairs.map { boxes[$0.child].x + boxes[$0.child].width / 2 }
            ends[parent, default: []].append((-1, true, places.reduce(0, +) / Double(places.count)))
        }
        for (box, ends) in ends where ends.count > 1 {
            counts[box] = ends.count
            let sorted = ends.sorted { ($0.other, $0.line) < ($1.other, $1.line) }
            for (strip, end) in sorted.enumerated() {
                switch (end.line, end.isStart) {
                case (-1, _): inheritance[box] = strip
                case (let line, true): lines[line].start = strip
                case (let line, false): lines[line].end = strip
                }
            }
        }
    }

    /// The size of a box, widened if its strips need more room.
    func size(of box: Int, in graph: ModelGraph) -> (width: Double, height: Double) {
        let size = GraphMetrics.size(of: graph.boxes[box])
        return (max(size.width, Double(counts[box]) * Self.stripWidth), size.height)
    }
}
