import CoreData

/// The sizes of texts and boxes in a drawing, in points.
enum GraphMetrics {
    static let titleSize = 14.0
    static let rowSize = 12.0
    static let labelSize = 11.0
    static let titleHeight = 28.0
    static let rowHeight = 18.0
    /// The distance between the sides of a box and its texts.
    static let margin = 12.0
    static let columnGap = 16.0

    /// The width and height of a box.
    static func size(of box: ModelGraph.Box) -> (width: Double, height: Double) {
        let names = nameColumn(of: box)
        let types = box.rows.map { GraphText.width($0.type) * rowSize }.max() ?? 0
        let rows = types > 0 ? names + columnGap + types : names
        let width = max(GraphText.width(box.name) * titleSize * 1.08, rows, 60) + 2 * margin
        let height = titleHeight + (box.rows.isEmpty ? 0 : Double(box.rows.count) * rowHeight + 8)
        return (width.rounded(.up), height)
    }

    /// The width of the names in a box.
    static func nameColumn(of box: ModelGraph.Box) -> Double {
        box.rows.map { GraphText.width($0.name) * rowSize }.max() ?? 0
    }

    static func labelWidth(_ label: String) -> Double { GraphText.width(label) * labelSize + 6 }
    static let labelHeight = 15.0
}
