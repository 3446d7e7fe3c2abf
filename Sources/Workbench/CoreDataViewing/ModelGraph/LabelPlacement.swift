import CoreData

/// Finds positions for the names at the ends of lines: beside their line, near its end, and not over anything else.
struct LabelPlacement {
    /// The squares of a grid by which areas and points are found, so that the time grows only linearly with the
    /// drawing.
    private struct Square: Hashable {
        let column: Int
        let row: Int
    }

    private static let squareSize = 80.0
    private var areas: [Square: [GraphArea]] = [:]
    private var points: [Square: [(line: Int, point: GraphPoint)]] = [:]

    init(boxes: [GraphArea], paths: [[GraphPoint]]) {
        for box in boxes { add(box) }
        for (line, path) in paths.enumerated() {
            for point in path { points[Self.square(point), default: []].append((line, point)) }
        }
    }

    /// Finds and occupies the best place for a label along a path, whose first point is the end that the label belongs
    /// to.
    mutating func place(_ label: String, along path: [GraphPoint], of line: Int) -> GraphArea {
        let (width, height) = (GraphMetrics.labelWidth(label), GraphMetrics.labelHeight)
        var best: (cost: Double, area: GraphArea)?
        var walked = 0.0
        for index in path.indices.dropFirst() {
            let (last, point) = (path[index - 1], path[index])
            let step = max(hypot(point.x - last.x, point.y - last.y), 0.001)
            walked += step
            guard walked > 14 else { continue }
            let normal = GraphPoint(x: -(point.y - last.y) / step, y: (point.x - last.x) / step)
            let away = abs(normal.x) * width / 2 + abs(normal.y) * height / 2 + 3
            for side in [1.0, -1.0] {
                let center = GraphPoint(x: point.x + side * normal.x * away, y: point.y + side * normal.y * away)
                let area = GraphArea(
                    x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
                let cost = walked / 20 + self.cost(of: area, line)
                if cost < best?.cost ?? .infinity { best = (cost, area) }
            }
        }
        let start = path.first ?? GraphPoint(x: 0, y: 0)
        let area = best?.area ?? GraphArea(x: start.x, y: start.y, width: width, height: height)
        add(area)
        return area
    }

    private func cost(of area: GraphArea, _ line: Int) -> Double {
        var cost = 0.0
        for square in Self.squares(of: area) {
            for other in areas[square] ?? [] where other.overlaps(area) { cost += 1000 }
            for (other, point) in points[square] ?? [] where area.contains(point) { cost += other == line ? 10 : 25 }
        }
        return cost
    }

    private mutating func add(_ area: GraphArea) {
        for square in Self.squares(of: area) { areas[square, default: []].append(area) }
    }

    private static func square(_ point: GraphPoint) -> Square {
        Square(column: Int(point.x / squareSize), row: Int(point.y / squareSize))
    }

    private static func squares(of area: GraphArea) -> [Square] {
        let first = square(GraphPoint(x: area.x, y: area.y))
        let last = square(GraphPoint(x: area.x + area.width, y: area.y + area.height))
        return (first.column...max(first.column, last.column)).flatMap { column in
            (first.row...max(first.row, last.row)).map { Square(column: column, row: $0) }
        }
    }
}

/// Converts curves to sequences of points.
enum GraphCurve {
    /// The approximate distance of points, less than the height of a label, so that no line crosses a label undetected.
    private static let distance = 6.0

    /// Points on a curve at small distances, including its ends.
    static func samples(_ curve: [GraphPoint]) -> [GraphPoint] {
        var samples = Array(curve.prefix(1))
        for start in stride(from: 0, to: curve.count - 3, by: 3) {
            let control = Array(curve[start..<start + 4])
            let length = zip(control, control.dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
            let steps = Int(min(max(length / distance, 4), 500))
            for step in 1...steps { samples.append(point(control, Double(step) / Double(steps))) }
        }
        return samples
    }

    private static func point(_ control: [GraphPoint], _ time: Double) -> GraphPoint {
        let rest = 1 - time
        let weights = [rest * rest * rest, 3 * rest * rest * time, 3 * rest * time * time, time * time * time]
        return zip(control, weights).reduce(GraphPoint(x: 0, y: 0)) { sum, item in
            GraphPoint(x: sum.x + item.0.x * item.1, y: sum.y + item.0.y * item.1)
        }
    }
}
