import CoreData

/// At which strip of its boxes each line ends, so that the lines of one box do not end in one point.
struct GraphPorts {
    private static let stripWidth = 20.0

    /// How many strips each box has, from left to right; 0 for one with a single line.
    private(set) var counts: [Int]
    /// The strips of each line at its start and its end.
    private(set) var lines: [(start: Int, end: Int)]

    /// The strip of each box to which the lines of those that inherit from it lead.
    private(set) var inheritance: [Int: Int] = [:]

    /// One strip a box.
    init(_ graph: ModelGraph) {
        counts = graph.boxes.map { _ in 0 }
        lines = graph.lines.map { _ in (0, 0) }
    }

    /// A strip for every line, in the order in which the boxes at the other ends stand.
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

    /// The size of a box with room for its strips.
    func size(of box: Int, in graph: ModelGraph) -> (width: Double, height: Double) {
        let size = GraphMetrics.size(of: graph.boxes[box])
        return (max(size.width, Double(counts[box]) * Self.stripWidth), size.height)
    }
}
