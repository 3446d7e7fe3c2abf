/// The labels below a chart: horizontal ones, of which some are left out to fit, or slanted ones if each bar needs its
/// label.
struct ChartLabels {
    /// The characters that are shown of a label: at least and at most of a horizontal one, and of a slanted one.
    private static let (few, many, slanted) = (14, 28, 18)
    private static let (characterWidth, gap) = (7.0, 10.0)

    let shown: [(x: Double, text: String)]
    let isSlanted: Bool

    init(_ labels: [String], at places: [Double], within width: Double, maySlant: Bool) {
        isSlanted = maySlant && !Self.fit(labels, width)
        let room = Int((width / Double(max(1, labels.count)) - Self.gap) / Self.characterWidth)
        let longest = isSlanted ? Self.slanted : min(max(room, Self.few), Self.many)
        var shown: [(x: Double, text: String)] = []
        // The right end of the last shown label.
        var end = -Double.infinity
        for (label, x) in zip(labels, places) {
            let text = Self.cut(label, longest)
            let half = isSlanted ? 8.5 : Double(text.count) * Self.characterWidth / 2
            guard x - half >= end else { continue }
            end = x + half + (isSlanted ? 0 : Self.gap)
            shown.append((x, text))
        }
        self.shown = shown
    }

    /// The height that the labels need.
    static func height(of labels: [String], maySlant: Bool, within width: Double) -> Double {
        guard maySlant, !fit(labels, width) else { return 34 }
        let longest = Double(labels.map { min($0.count, slanted) }.max() ?? 0)
        return 28 + longest * characterWidth * 0.66
    }

    /// Whether all labels fit horizontally.
    private static func fit(_ labels: [String], _ width: Double) -> Bool {
        let longest = Double(labels.map { min($0.count, few) }.max() ?? 0) * characterWidth + gap
        return longest * Double(labels.count) <= width
    }

    /// A text of at most `count` characters; a longer one is cut and ends with `…`.
    static func cut(_ text: String, _ count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }
}
