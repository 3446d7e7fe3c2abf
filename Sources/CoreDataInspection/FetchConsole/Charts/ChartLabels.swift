/// The labels below a chart: those that fit, level or slanted.
struct ChartLabels {
    private static let (level, slanted) = (14, 18)
    private static let characterWidth = 7.0

    let shown: [(x: Double, text: String)]
    let isSlanted: Bool

    init(_ labels: [String], at places: [Double], within width: Double) {
        isSlanted = Self.isSlanted(labels, width)
        let least =
            isSlanted ? 17 : (labels.map { Double(min($0.count, Self.level)) }.max() ?? 1) * Self.characterWidth + 10
        let longest = isSlanted ? Self.slanted : Self.level
        var shown: [(x: Double, text: String)] = []
        for (label, x) in zip(labels, places) where shown.last.map({ abs(x - $0.x) >= least }) ?? true {
            shown.append((x, Self.cut(label, longest)))
        }
        self.shown = shown
    }

    /// The room that labels need.
    static func height(of labels: [String], isNumeric: Bool) -> Double {
        guard !isNumeric, isSlanted(labels, 706) else { return 34 }
        let longest = Double(labels.map { min($0.count, slanted) }.max() ?? 0)
        return 28 + longest * characterWidth * 0.66
    }

    /// Whether labels stand too close to be level. Labels of which many are left out are.
    private static func isSlanted(_ labels: [String], _ width: Double) -> Bool {
        let longest = Double(labels.map { min($0.count, level) }.max() ?? 0) * characterWidth + 10
        return longest * Double(labels.count) > width
    }

    /// A text with `…` at its end where it is too long.
    static func cut(_ text: String, _ count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }
}
