/// The styles in which numbers are shown; Foundation writes them in texts, and `Intl` in the page.
public enum NumberStyle: Sendable, Hashable {
    /// Digits of the integer, without groups.
    case none
    /// Groups, and at most three digits after the decimal sign.
    case decimal
    /// Hundredths with the percent sign, as integers.
    case percent
    /// An amount of a currency of ISO 4217, with as many digits as it has.
    case currency(String)
    /// A factor with at most six digits after the decimal sign, and a power of ten.
    case scientific
    /// Words: "one hundred twenty-three". `Intl` has no such style.
    case spelledOut
}

/// The styles in which a date or a time is shown, each chosen on its own.
public enum DateStyle: String, CaseIterable, Sendable, Hashable {
    case none, short, medium, long, full
}

/// The units in which measured values are shown, by their names in CLDR; all are among those that `Intl` knows.
public enum MeasuredUnit: String, CaseIterable, Sendable, Hashable {
    case kilometer, meter, centimeter, mile, foot, inch
    case kilogram, gram, pound, ounce
    case celsius, fahrenheit
    case liter, gallon
    case hectare, acre
    case kilometerPerHour = "kilometer-per-hour"
    case milePerHour = "mile-per-hour"
}
