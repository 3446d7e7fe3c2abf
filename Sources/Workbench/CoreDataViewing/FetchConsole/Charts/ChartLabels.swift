/// The labels below a chart: those that fit, level, or slanted where each bar needs its own.
struct ChartLabels {
    /// How many characters of a label are shown: level at least, level at most, slanted.
    private static let (few, many, slanted) = (14, 28, 18)
    private static let (characterWidth, gap) = (7.0, 10.0)

    let shown: [(x: Double, text: String)]
    let isSlanted: Bool

    init(_ labels: [String], at places: [Double], within width: Double, maySlant: Bool) {
        isSlanted = maySlant && !Self.fit(labels, width)
        let room = Int((width / Double(max(1, labels.count)) - Self.gap) / Self.characterWidth)
        let longest = isSlanted ? Self.slanted : min(max(room, Self.few), Self.many)
        var shown: [(x: Double, text: String)] = []
        // Where the last label that is shown ends.
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

    /// The room that labels need.
    static func height(of labels: [String], maySlant: Bool, within width: Double) -> Double {
        guard maySlant, !fit(labels, width) else { return 34 }
        let longest = Double(labels.map { min($0.count, slanted) }.max() ?? 0)
        return 28 + longest * characterWidth * 0.66
    }

    /// Whether all labels can be level.
    private static func fit(_ labels: [String], _ width: Double) -> Bool {
        let longest = Double(labels.map { min($0.count, few) }.max() ?? 0) * characterWidth + gap
        return longest * Double(labels.count) <= width
    }

    /// A text with `…` at its end where it is too long.
    static func cut(_ text: String, _ count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }
}
