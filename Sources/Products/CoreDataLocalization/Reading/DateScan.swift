import Foundation

/// One pass over a typed date.
struct DateScan {
    var text: TypedText
    let names: DateNames
    let calendar: Calendar.Identifier

    private var year: (number: Int, digits: Int, place: Int)?
    private var (month, dayOfMonth, era, weekday): (Int?, Int?, Int?, Int?)
    private var (hour, minute, second): (Int, Int, Int) = (0, 0, 0)
    private var isAfternoon: Bool?

    init(text: TypedText, names: DateNames, calendar: Calendar.Identifier) {
        (self.text, self.names, self.calendar) = (text, names, calendar)
    }

    mutating func read(_ pattern: DatePattern) throws {
        // Their leap months make the numbers of months differ from year to year.
        guard calendar != .hebrew, calendar != .chinese else {
            throw ReadingError(.unsupportedStyle, at: 0, "Dates of this calendar cannot be read.")
        }
        for (place, part) in pattern.parts.enumerated() {
            switch part {
            case .text(let wanted): try read(wanted)
            case .field(let letter, let count):
                var hasPoint = false
                if case .text(let next)? = pattern.parts.dropFirst(place + 1).first { hasPoint = next.hasPrefix(".") }
                try read(letter, count, hasPoint: hasPoint)
            }
        }
        text.skipSpace()
        guard text.isAtEnd else { throw unexpected("This is not part of the date.") }
    }

    private mutating func read(_ wanted: String) throws {
        for part in wanted.split(whereSeparator: \.isWhitespace) {
            text.skipSpace()
            if !part.unicodeScalars.allSatisfy(TypedText.isMark) {
                guard text.take(String(part)) else { throw unexpected("'\(part)' is expected here.") }
            }
        }
        text.skipSpace()
    }

    /// `hasPoint` is whether the style has a point after the field.
    private mutating func read(_ letter: Character, _ count: Int, hasPoint: Bool) throws {
        let place = text.offset
        switch letter {
        case "y", "u", "r":
            let found = try number(atMost: 6, in: 0...200_000)
            let isShort = count == 2 && found.digits <= 2
            year = isShort ? (try century(of: found.number, place), 4, place) : (found.number, found.digits, place)
        case "M", "L":
            month = count < 3 ? try number(atMost: 2, in: 1...13).number : try name(names.months, hasPoint) + 1
        case "d": dayOfMonth = try number(atMost: 2, in: 1...31).number
        case "E", "c": weekday = try name(names.weekdays, hasPoint)
        case "G": era = try name(names.eras, hasPoint)
        case "H": hour = try number(atMost: 2, in: 0...23).number
        case "k": hour = try number(atMost: 2, in: 1...24).number % 24
        case "h": hour = try number(atMost: 2, in: 1...12).number % 12
        case "K": hour = try number(atMost: 2, in: 0...11).number
        case "m": minute = try number(atMost: 2, in: 0...59).number
        case "s": second = try number(atMost: 2, in: 0...59).number
        case "a":
            isAfternoon = text.take(names.afternoon)
            guard isAfternoon == true || text.take(names.morning) else {
                throw unexpected("'\(names.morning)' or '\(names.afternoon)' is expected here.")
            }
        default:
            throw ReadingError(.unsupportedStyle, at: place, "Dates in this style cannot be read in this locale.")
        }
    }

    /// The seconds since midnight.
    var seconds: Int { (hour + (isAfternoon == true ? 12 : 0)) * 3_600 + minute * 60 + second }

    /// The day, in the Gregorian calendar.
    func day() throws -> CalendarDay {
        guard let year, let month, let dayOfMonth else {
            throw ReadingError(.unsupportedStyle, at: 0, "Texts in this style do not have day, month and year.")
        }
        guard year.digits > 2 || era != nil || calendar != .gregorian && calendar != .iso8601 else {
            throw ReadingError(.ambiguousYear, at: year.place, "The year is to have four digits.")
        }
        guard let day = gregorian(year.number, month, dayOfMonth) else {
            throw ReadingError(.noSuchDay, at: 0, "The calendar has no such day.")
        }
        // 1970-01-01 was a Thursday; Sunday is the first of the names.
        guard weekday == nil || weekday == ((day.ordinal + 4) % 7 + 7) % 7 else {
            throw ReadingError(.noSuchDay, at: 0, "The day is of another day of the week.")
        }
        return day
    }

    private func gregorian(_ year: Int, _ month: Int, _ day: Int) -> CalendarDay? {
        switch calendar {
        case .gregorian, .iso8601:
            return era == 0 ? nil : CalendarDay(year: year, month: month, day: day)
        case .buddhist: return CalendarDay(year: year - 543, month: month, day: day)
        default:
            var other = Calendar(identifier: calendar)
            other.timeZone = .gmt
            var parts = DateComponents(year: year, month: month, day: day, hour: 12)
            parts.era = era
            guard let date = other.date(from: parts), let found = CalendarDay(date, in: .gmt) else { return nil }
            let back = other.dateComponents([.era, .year, .month, .day], from: date)
            let isSame = back.year == year && back.month == month && back.day == day && (era == nil || back.era == era)
            return isSame ? found : nil
        }
    }

    /// The year of the calendar that a year of two digits is.
    ///
    /// - Throws: `ReadingError` in a calendar whose years are counted from elsewhere; Japanese years begin with 1 in each era.
    private func century(of year: Int, _ place: Int) throws -> Int {
        let offset = calendar == .buddhist ? 543 : 0
        guard calendar == .gregorian || calendar == .iso8601 || offset > 0 else {
            guard calendar == .japanese else {
                throw ReadingError(.ambiguousYear, at: place, "The year is to have all its digits.")
            }
            return year
        }
        let years = DateReader.centuries
        return years.first { ($0 + offset) % 100 == year }.map { $0 + offset } ?? year
    }

    private mutating func number(atMost most: Int, in range: ClosedRange<Int>) throws -> (number: Int, digits: Int) {
        text.skipSpace()
        let place = text.offset
        var (number, count) = (0, 0)
        while count < most, let next = text.next, let digit = next.decimalDigit {
            number = number * 10 + digit
            count += 1
            text.advance()
        }
        guard count > 0 else { throw unexpected("A digit is expected here.") }
        guard range.contains(number) else {
            throw ReadingError(
                .noSuchDay, at: place, "A number from \(range.lowerBound) to \(range.upperBound) is expected here.")
        }
        return (number, count)
    }

    /// The number of a name, whose point may be left out or added where the style has none after it.
    private mutating func name(_ list: [(String, Int)], _ hasPoint: Bool) throws -> Int {
        text.skipSpace()
        for (name, number) in list where text.take(name.hasSuffix(".") ? String(name.dropLast()) : name) {
            if !hasPoint, text.next == "." { text.advance() }
            return number
        }
        throw unexpected("The name of a month, a day or an era is expected here.")
    }

    private func unexpected(_ reason: String) -> ReadingError {
        ReadingError(
            text.isAtEnd ? .empty : .unexpected, at: text.offset, text.isAtEnd ? "The text ends too early." : reason)
    }
}

extension Unicode.Scalar {
    /// The value of a decimal digit of any script.
    fileprivate var decimalDigit: Int? {
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return Int(exactly: value)
    }
}
