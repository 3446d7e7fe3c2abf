/// The styles in which numbers are shown; Foundation writes them in texts, and `Intl` in the page.
public enum NumberStyle: Sendable, Hashable {
    /// Digits of the integer, without groups.
    case none
    /// Groups, and at most three digits after the decimal sign.
    case decimal
    /// Groups, and all digits that the number has.
    case exact
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
    /// Nothing.
    case none
    /// Numbers alone, such as 2/22/12 and 9:30 AM.
    case short
    /// The short name of the month, or the seconds too.
    case medium
    /// The name of the month, or the zone too.
    case long
    /// The name of the day too, or the name of the zone.
    case full
}

/// The units in which measured values are shown, by their names in CLDR; all are among those that `Intl` knows.
public enum MeasuredUnit: String, CaseIterable, Sendable, Hashable {
    /// 1,000 meters.
    case kilometer
    /// The unit of length of the SI.
    case meter
    /// A hundredth of a meter.
    case centimeter
    /// 1,609.344 meters.
    case mile
    /// 0.3048 meters.
    case foot
    /// 2.54 centimeters.
    case inch
    /// The unit of mass of the SI.
    case kilogram
    /// A thousandth of a kilogram.
    case gram
    /// 0.45359237 kilograms.
    case pound
    /// A sixteenth of a pound.
    case ounce
    /// Degrees Celsius.
    case celsius
    /// Degrees Fahrenheit.
    case fahrenheit
    /// A thousandth of a cubic meter.
    case liter
    /// The gallon of the United States, 231 cubic inches.
    case gallon
    /// 10,000 square meters.
    case hectare
    /// 43,560 square feet.
    case acre
    /// Kilometers an hour.
    case kilometerPerHour = "kilometer-per-hour"
    /// Miles an hour.
    case milePerHour = "mile-per-hour"
}
