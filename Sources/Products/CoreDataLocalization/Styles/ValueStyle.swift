import Foundation

/// A style that is named, for values of one kind: what a model can say of an attribute.
///
/// | name | what is shown |
/// |---|---|
/// | `none`, `decimal`, `exact`, `percent`, `scientific`, `spelledOut` | a number in that style |
/// | `currency:EUR` | an amount of a currency |
/// | `kilometer` and the other units | a measured value, in the unit of the region |
/// | `day`, `day-short`, `day-long`, `day-full` | the day of a date, the same in every zone |
/// | `medium-short` and the like | day and time of a date, in the reader's zone |
public enum ValueStyle: Sendable, Hashable {
    /// A number in a style.
    case number(NumberStyle)
    /// A measured value.
    case measured(MeasuredUnit)
    /// The day that a date has in UTC.
    case day(DateStyle)
    /// Day and time.
    case moment(DateStyle, DateStyle)

    /// The key of an attribute's `userInfo` that names a style.
    public static let userInfoKey = "displayStyle"

    /// Returns nil for a text that names no style.
    public init?(_ name: String) {
        let words = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let style = Self.numbers[name] {
            self = .number(style)
        } else if name.hasPrefix("currency:") {
            self = .number(.currency(String(name.dropFirst(9))))
        } else if let unit = MeasuredUnit(rawValue: name) {
            self = .measured(unit)
        } else if words.first == "day" {
            guard let style = words.count == 1 ? .medium : DateStyle(rawValue: words[1]) else { return nil }
            self = .day(style)
        } else if words.count == 2, let date = DateStyle(rawValue: words[0]), let time = DateStyle(rawValue: words[1]) {
            self = .moment(date, time)
        } else {
            return nil
        }
    }

    private static let numbers: [String: NumberStyle] = [
        "none": .none, "decimal": .decimal, "exact": .exact, "percent": .percent, "scientific": .scientific,
        "spelledOut": .spelledOut,
    ]
}

extension FormatStyleTable {
    /// The text of a number in a style; all its digits in a style that is for dates, or none.
    public func text(_ number: Decimal, as style: ValueStyle?) -> String {
        switch style {
        case .number(let style): text(number, style)
        case .measured(let unit): text(number, unit)
        case .day, .moment, nil: text(number, NumberStyle.exact)
        }
    }

    /// The text of a date in a style; medium ones of day and time in a style that is for numbers, or none. Empty for a date that
    /// calendars do not reach.
    public func text(_ date: Date, as style: ValueStyle?) -> String {
        switch style {
        case .day(let style): CalendarDay(date, in: .gmt).map { text($0, style) } ?? ""
        case .moment(let day, let time): text(date, date: day, time: time)
        case .number, .measured, nil: text(date, date: .medium, time: .medium)
        }
    }
}
