import Foundation

extension FormatStyleTable {
    /// The styles as options of JavaScript's `Intl`, for a page that formats like this table.
    public struct Intl: Encodable, Sendable {
        /// The locale for all of `Intl`'s formats, as BCP 47 writes it.
        public let locale: String
        /// Options of `Intl.NumberFormat` by style: `none`, `decimal`, `exact`, `percent`, `scientific`; for a currency the page adds
        /// `{style: "currency", currency: CODE}`. `spelledOut` is not there, since `Intl` cannot write it.
        public let numbers: [String: Options]
        /// Options of `Intl.DateTimeFormat` for times, by the styles of date and time, such as `medium-short`.
        public let dates: [String: Options]
        /// Options of `Intl.DateTimeFormat` for days, by style. The page formats `Date.UTC(year, month - 1, day, 12)` with them, so
        /// that the day is the same in every zone; for a year below 100 it sets the year on its own.
        public let days: [String: Options]
        /// By the unit that values are in: what is shown, and how it is computed: `value * factor + offset`.
        public let units: [String: Unit]
    }

    /// Options of a format: texts and numbers.
    public struct Options: Encodable, Sendable, Equatable {
        /// Options that are texts, such as `style`.
        public let texts: [String: String]
        /// Options that are integers, such as `maximumFractionDigits`.
        public let numbers: [String: Int]
        /// Options that are true or false, such as `useGrouping`.
        public let flags: [String: Bool]

        init(_ texts: [String: String] = [:], numbers: [String: Int] = [:], flags: [String: Bool] = [:]) {
            (self.texts, self.numbers, self.flags) = (texts, numbers, flags)
        }

        /// Encodes all options as one object.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OptionName.self)
            for (name, value) in texts { try container.encode(value, forKey: OptionName(stringValue: name)) }
            for (name, value) in numbers { try container.encode(value, forKey: OptionName(stringValue: name)) }
            for (name, value) in flags { try container.encode(value, forKey: OptionName(stringValue: name)) }
        }
    }

    /// A unit that the page shows.
    public struct Unit: Encodable, Sendable {
        /// Options of `Intl.NumberFormat` with the unit that is shown.
        public let options: Options
        /// What a value is multiplied by; 1 if its unit is shown as it is.
        public let factor: Double
        /// What is added then; 0 for all but temperatures.
        public let offset: Double
    }

    /// The options for the table's locale, calendar and zone.
    public var intl: Intl {
        Intl(
            locale: Self.tag(of: locale), numbers: Self.numbers,
            dates: Dictionary(uniqueKeysWithValues: pairs.map { ("\($0.rawValue)-\($1.rawValue)", options($0, $1)) }),
            days: Dictionary(
                uniqueKeysWithValues: DateStyle.allCases.filter { $0 != .none }.map { style in
                    (
                        style.rawValue,
                        Options(["dateStyle": style.rawValue, "timeZone": "UTC", "calendar": calendarName])
                    )
                }),
            units: Dictionary(uniqueKeysWithValues: MeasuredUnit.allCases.map { ($0.rawValue, unit($0)) }))
    }

    /// `intl` as JSON with its keys in order.
    public func intlJSON() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(intl)
    }

    private static let numbers = [
        "none": Options(
            ["roundingMode": "halfEven"], numbers: ["maximumFractionDigits": 0], flags: ["useGrouping": false]),
        "decimal": Options(["roundingMode": "halfEven"], numbers: ["maximumFractionDigits": 3]),
        // The page gives a number as text, of which `Intl` keeps so many digits; it shows one with more as it is.
        "exact": Options(numbers: ["maximumFractionDigits": 20]),
        "percent": Options(
            ["style": "percent", "roundingMode": "halfEven"], numbers: ["maximumFractionDigits": 0]),
        "scientific": Options(
            ["notation": "scientific", "roundingMode": "halfEven"], numbers: ["maximumFractionDigits": 6]),
    ]

    private var pairs: [(DateStyle, DateStyle)] {
        DateStyle.allCases.flatMap { date in DateStyle.allCases.map { (date, $0) } }.filter {
            $0 != .none || $1 != .none
        }
    }

    private func options(_ date: DateStyle, _ time: DateStyle) -> Options {
        var texts = ["timeZone": timeZone.identifier == "GMT" ? "UTC" : timeZone.identifier, "calendar": calendarName]
        if date != .none { texts["dateStyle"] = date.rawValue }
        if time != .none { texts["timeStyle"] = time.rawValue }
        return Options(texts)
    }

    private func unit(_ unit: MeasuredUnit) -> Unit {
        let shown = unit.preferred(in: locale)
        let offset = unit.convert(0, to: shown)
        return Unit(
            options: Options(
                ["style": "unit", "unit": shown.rawValue, "unitDisplay": "short", "roundingMode": "halfEven"],
                numbers: ["maximumFractionDigits": 1]),
            factor: NSDecimalNumber(decimal: unit.convert(1, to: shown) - offset).doubleValue,
            offset: NSDecimalNumber(decimal: offset).doubleValue)
    }

    /// The calendar by its name in `Intl`.
    private var calendarName: String {
        let names = LanguageTag.calendars.filter { $0.value == calendar && $0.key != "gregorian" }.keys
        return names.min() ?? "gregory"
    }

    /// The tag of a locale; the root locale has none, and the page shows it as English.
    private static func tag(of locale: Locale) -> String {
        let tag = locale.identifier(.bcp47)
        return tag.isEmpty || tag.hasPrefix("und") ? "en" : tag
    }
}

/// The name of an option.
private struct OptionName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
