import Foundation

extension MeasuredUnit {
    /// The unit that people of a locale's region use for this one.
    public func preferred(in locale: Locale) -> MeasuredUnit {
        switch (self, locale.measurementSystem) {
        case (_, .us), (.kilometer, .uk), (.kilometerPerHour, .uk): isMetric ? counterpart : self
        case (.mile, .uk), (.milePerHour, .uk): self
        case (_, _): isMetric ? self : counterpart
        }
    }

    /// Whether the unit is of the metric system.
    public var isMetric: Bool {
        switch self {
        case .kilometer, .meter, .centimeter, .kilogram, .gram, .celsius, .liter, .kilometerPerHour, .hectare: true
        case .mile, .foot, .inch, .pound, .ounce, .fahrenheit, .gallon, .milePerHour, .acre: false
        }
    }

    /// The value in the other system's unit, to at least 25 digits.
    public func convert(_ value: Decimal, to unit: MeasuredUnit) -> Decimal {
        guard unit == counterpart else { return value }
        switch self {
        case .celsius: return value * 9 / 5 + 32
        case .fahrenheit: return (value - 32) * 5 / 9
        default: return isMetric ? value / factor : value * factor
        }
    }

    /// The unit of the other system that stands in this one's place.
    public var counterpart: MeasuredUnit {
        switch self {
        case .kilometer: .mile
        case .mile: .kilometer
        case .meter: .foot
        case .foot: .meter
        case .centimeter: .inch
        case .inch: .centimeter
        case .kilogram: .pound
        case .pound: .kilogram
        case .gram: .ounce
        case .ounce: .gram
        case .celsius: .fahrenheit
        case .fahrenheit: .celsius
        case .liter: .gallon
        case .gallon: .liter
        case .kilometerPerHour: .milePerHour
        case .milePerHour: .kilometerPerHour
        case .hectare: .acre
        case .acre: .hectare
        }
    }

    /// How many of the metric unit the other one has: the international yard and pound of 1959, and the US gallon.
    private var factor: Decimal {
        let digits: (significand: UInt64, exponent: Int) =
            switch self {
            case .kilometer, .mile, .kilometerPerHour, .milePerHour: (1_609_344, -6)
            case .meter, .foot: (3_048, -4)
            case .centimeter, .inch: (254, -2)
            case .kilogram, .pound: (45_359_237, -8)
            case .gram, .ounce: (28_349_523_125, -9)
            case .liter, .gallon: (3_785_411_784, -9)
            case .hectare, .acre: (40_468_564_224, -11)
            case .celsius, .fahrenheit: (1, 0)
            }
        return Decimal(sign: .plus, exponent: digits.exponent, significand: Decimal(digits.significand))
    }
}
