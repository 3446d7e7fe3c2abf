import CoreData

/// Prints rows under titles, fitted to the terminal.
///
/// The first rows are buffered to determine the widths; later rows are printed at once. On a terminal, cells that are
/// too long end in `…`, and columns that do not fit are left out and named at the end. Elsewhere cells are cut only if
/// they are longer than `widest`. Columns of names that users copy are never cut.
package struct TextTable {
    package struct Column {
        let title: String
        var isNumber = false
        /// Whether the cells of the column are never cut.
        var isWhole = false
        /// The minimum width, which reserves room for later rows.
        var leastWidth = 0

        package init(title: String, isNumber: Bool = false, isWhole: Bool = false, leastWidth: Int = 0) {
            (self.title, self.isNumber, self.isWhole, self.leastWidth) = (title, isNumber, isWhole, leastWidth)
        }

        /// A column whose title is the program's own, in the language of the run.
        package init(label: String, isNumber: Bool = false, leastWidth: Int = 0) {
            let name = RunLanguage.text("column \(label)")
            self.init(title: name.hasPrefix("column ") ? label : name, isNumber: isNumber, leastWidth: leastWidth)
        }
    }

    /// The greatest width of a cell if the output is not a terminal.
    package static let widest = 100

    private static let heldRows = 500
    private static let least = 6
    private static let gap = 2

    /// The advice on columns that do not fit.
    var advice = "choose with --keys"
    private let columns: [Column]
    private let limit: Int?
    private var held: [[String]] = []
    private var widths: [Int]?

    package init(_ columns: [Column], limit: Int?) {
        self.columns = columns
        self.limit = limit
    }

    /// Adds a row of printable texts.
    package mutating func add(_ row: [String], to output: StandardOutput) {
        guard let widths else {
            held.append(row)
            if held.count >= Self.heldRows { release(output) }
            return
        }
        output.line(line(row, widths))
    }

    /// Prints the buffered rows, and the names of the columns that were left out.
    package mutating func finish(_ output: StandardOutput) {
        let shown = release(output).count
        guard shown < columns.count else { return }
        let names = columns[shown...].map(\.title).joined(separator: ", ")
        output.line(
            fitted("(\(RunLanguage.text("no room for: \(names)")); \(RunLanguage.text(advice)))", limit ?? .max))
    }

    /// Prints the buffered rows; returns the widths of the columns, which are fixed from then on.
    @discardableResult
    mutating func release(_ output: StandardOutput) -> [Int] {
        if let widths { return widths }
        let titles = columns.map { PrintableText.escaped($0.title) }
        var natural = zip(columns, titles).map { max($0.leastWidth, DisplayWidth.of($1)) }
        for row in held {
            for (index, cell) in row.enumerated() { natural[index] = max(natural[index], DisplayWidth.of(cell)) }
        }
        let bounded = zip(columns, natural).map { $0.isWhole || limit != nil ? $1 : min($1, Self.widest) }
        let widths = fit(bounded)
        self.widths = widths
        output.line(line(titles, widths))
        output.line(
            widths.map { String(repeating: "-", count: $0) }.joined(separator: String(repeating: " ", count: Self.gap)))
        for row in held { output.line(line(row, widths)) }
        held = []
        return widths
    }

    /// The widths that fit: the widest columns are narrowed first, then the last ones are left out.
    private func fit(_ natural: [Int]) -> [Int] {
        guard let limit else { return natural }
        for count in stride(from: natural.count, to: 1, by: -1) {
            let room = limit - Self.gap * (count - 1)
            let widths = Array(natural.prefix(count))
            if widths.reduce(0, +) <= room { return widths }
            let needed = capped(widths, Self.least).reduce(0, +)
            guard needed <= room else { continue }
            return shrink(widths, to: room)
        }
        return natural.prefix(1).map { columns[0].isWhole ? $0 : min($0, limit) }
    }

    /// The widths limited to a cap, except those of columns that are never cut.
    private func capped(_ widths: [Int], _ cap: Int) -> [Int] {
        zip(columns, widths).map { $0.isWhole ? $1 : min($1, cap) }
    }

    private func shrink(_ natural: [Int], to room: Int) -> [Int] {
        // The greatest cap that fits, found by halving; 'least' is known to fit.
        var fits = Self.least
        var fails = (natural.max() ?? 0) + 1
        while fails - fits > 1 {
            let cap = (fits + fails) / 2
            if capped(natural, cap).reduce(0, +) <= room { fits = cap } else { fails = cap }
        }
        var widths = capped(natural, fits)
        var spare = room - widths.reduce(0, +)
        for index in widths.indices where spare > 0 && widths[index] < natural[index] {
            widths[index] += 1
            spare -= 1
        }
        return widths
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, width) in widths.enumerated() {
            let cell = columns[index].isWhole ? row[index] : fitted(row[index], width)
            let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(cell)))
            if index > 0 { line += String(repeating: " ", count: Self.gap) }
            if columns[index].isNumber {
                line += blanks + cell
            } else {
                line += cell + (index + 1 < widths.count ? blanks : "")
            }
        }
        return line
    }

    private func fitted(_ cell: String, _ width: Int) -> String {
        DisplayWidth.truncated(cell, to: limit == nil ? max(width, Self.widest) : width)
    }
}
