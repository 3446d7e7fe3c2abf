/// How units are written behind numbers. Source: CLDR 49, `units`, the short forms.
///
/// Forms of Arabic that leave the number out ("a metre") are not used, since a number is always shown.
enum UnitTexts {
    /// The text of a unit, with the blank that the language has before it, by language; other languages have `symbols`.
    static func text(_ unit: MeasuredUnit, language: String) -> String {
        switch language {
        case "de": german[unit] ?? "\u{A0}" + symbol(unit)
        case "fr": "\u{202F}" + (french[unit] ?? symbol(unit))
        case "ar": arabic[unit] ?? "\u{A0}" + symbol(unit)
        case "en": english[unit] ?? " " + symbol(unit)
        default: "\u{A0}" + symbol(unit)
        }
    }

    private static func symbol(_ unit: MeasuredUnit) -> String {
        switch unit {
        case .kilometer: "km"
        case .meter: "m"
        case .centimeter: "cm"
        case .mile: "mi"
        case .foot: "ft"
        case .inch: "in"
        case .kilogram: "kg"
        case .gram: "g"
        case .pound: "lb"
        case .ounce: "oz"
        case .celsius: "°C"
        case .fahrenheit: "°F"
        case .liter: "l"
        case .gallon: "gal"
        case .kilometerPerHour: "km/h"
        case .milePerHour: "mi/h"
        case .hectare: "ha"
        case .acre: "ac"
        }
    }

    private static let english: [MeasuredUnit: String] = [
        .celsius: "°C", .fahrenheit: "°F", .liter: " L", .milePerHour: " mph",
    ]
    private static let german: [MeasuredUnit: String] = [:]
    private static let french: [MeasuredUnit: String] = [.foot: "pi", .inch: "po"]
    private static let arabic: [MeasuredUnit: String] = [
        .kilometer: " كم", .meter: " متر", .centimeter: " سم", .mile: " ميل", .foot: " قدم", .inch: " بوصة",
        .kilogram: " كغم", .gram: " غرام", .pound: " رطل", .ounce: " أونصة", .celsius: "°م", .fahrenheit: "°ف",
        .liter: " لتر", .gallon: " غالون", .kilometerPerHour: " كم/س", .milePerHour: " ميل/س",
        .hectare: " هكتار", .acre: " فدان",
    ]
}
