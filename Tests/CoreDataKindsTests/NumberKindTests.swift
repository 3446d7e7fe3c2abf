import CoreData
import Testing

@testable import CoreDataKinds

@Suite("Kinds of numbers") struct NumberKindTests {
    @Test(
        "durations are shown as hours, minutes and seconds, in the unit of the attribute",
        arguments: [
            (5_405, "seconds", "1:30:05"), (90, "minutes", "1:30:00"), (0, "seconds", "0:00:00"),
            (26, "hours", "1 d 2:00:00"), (1_500, "milliseconds", "0:00:01.5"), (-61, "seconds", "-0:01:01"),
        ])
    func durationsAreShownAsClockTimes(number: Int, unit: String, text: String) throws {
        let reading = try KindTexts.reading("duration", NSNumber(value: number), parameters: ["unit": unit])
        #expect(reading.text == text)
        // What is shown is read back as the same value.
        let value = try KindTexts.value("duration", reading.entry, .integer64AttributeType, parameters: ["unit": unit])
        #expect((value as? NSNumber)?.intValue == number)
    }

    @Test(
        "durations are read in all forms that people write",
        arguments: [
            ("1:30:00", 5_400), ("1:30", 90), ("90 min", 5_400), ("1h 30m", 5_400), ("PT1H30M", 5_400),
            ("P1DT1S", 86_401),
            ("2 d 1:00:00", 176_400), ("45", 45), ("1.5 hours", 5_400), ("1,5 h", 5_400), ("-PT5S", -5),
            ("1 week", 604_800),
            ("P1Y", nil as Int?), ("1:60", nil), ("1:2:3", nil), ("", nil), ("h", nil), ("PT", nil), ("P", nil),
            ("1 fortnight", nil),
            ("99999999999999999999", nil), ("1e9 h", nil), ("PT1M1", nil),
        ])
    func durationsAreReadInAllForms(text: String, seconds: Int?) throws {
        guard let seconds else {
            #expect(throws: InspectionError.self) { try KindTexts.value("duration", text, .integer64AttributeType) }
            return
        }
        let value = try KindTexts.value("duration", text, .integer64AttributeType)
        #expect((value as? NSNumber)?.intValue == seconds)
    }

    @Test("a duration that the attribute's type has no room for is refused")
    func durationsBeyondTheTypeAreRefused() throws {
        #expect(throws: InspectionError.self) { try KindTexts.value("duration", "10:00:00", .integer16AttributeType) }
        #expect(throws: InspectionError.self) {
            try KindTexts.value("duration", "0:00:30", .integer32AttributeType, parameters: ["unit": "minutes"])
        }
        let half = try KindTexts.value("duration", "0:00:30", .doubleAttributeType, parameters: ["unit": "minutes"])
        #expect((half as? NSNumber)?.doubleValue == 0.5)
        #expect(try KindTexts.value("duration", "90 min") as? String == "PT1H30M")
    }

    @Test("an amount is shown with its currency, integers of the smallest part by its digits")
    func amountsHaveTheirCurrency() throws {
        let price = try KindTexts.reading("money", NSDecimalNumber(string: "12.50"), parameters: ["currency": "EUR"])
        #expect(price.text == "12.5 EUR" && price.number?.style == "currency:EUR")
        let yen = try KindTexts.reading("money", 1_250 as NSNumber, parameters: ["currency": "JPY", "unit": "minor"])
        #expect(yen.text == "1250 JPY")
        let cents = try KindTexts.reading("money", 1_250 as NSNumber, parameters: ["currency": "EUR", "unit": "minor"])
        #expect(cents.text == "12.5 EUR")
        let dinars = try KindTexts.reading(
            "money", 1_250 as NSNumber, parameters: ["currency": "KWD", "unit": "minor"])
        #expect(dinars.text == "1.25 KWD")
        let entered = try KindTexts.value(
            "money", "12.50", .integer64AttributeType, parameters: ["currency": "EUR", "unit": "minor"])
        #expect((entered as? NSNumber)?.intValue == 1_250)
        #expect(throws: InspectionError.self) {
            try KindTexts.value(
                "money", "12.505", .integer64AttributeType, parameters: ["currency": "EUR", "unit": "minor"])
        }
    }

    @Test("a percentage is read and shown in hundredths, whichever is stored")
    func percentagesAreShownInHundredths() throws {
        let fraction = try KindTexts.reading("percentage", 0.125 as NSNumber, parameters: ["whole": "1"])
        #expect(fraction.text == "12.5 %" && fraction.number?.value == Decimal(string: "0.125"))
        #expect(try KindTexts.reading("percentage", 40 as NSNumber, parameters: ["whole": "100"]).text == "40 %")
        let stored = try KindTexts.value("percentage", "12.5 %", .doubleAttributeType, parameters: ["whole": "1"])
        #expect((stored as? NSNumber)?.doubleValue == 0.125)
        #expect(try KindTexts.reading("percentage", NSNumber(value: Double.nan)).problem != nil)
    }

    @Test("places name what is wrong with their numbers, and that they may be swapped (MAP-07)")
    func placesNameWhatIsWrong() throws {
        let place = try KindTexts.reading("place", "52.52, 13.405")
        #expect(place.text == "52.52000° N, 13.40500° E" && place.link == "geo:52.52,13.405")
        #expect(try KindTexts.reading("place", "geo:-33.86,151.21;u=35").text == "33.86000° S, 151.21000° E")
        // Near the equator and Greenwich no exponent stands in the address, and what is shown for editing is read back.
        let use = KindUse(kind: "place", key: "lat", origin: .model, others: ["longitude": "lng"])
        let near = PlaceKind().reading(KindValues(["lat": 0.00005 as NSNumber, "lng": -0.00002 as NSNumber]), use)
        #expect(near.link == "geo:0.00005,-0.00002" && near.entry == "0.00005, -0.00002")
        for text in ["Berlin", "1", "1,2,3", "nan, 1", "1e3, 2", ""] {
            #expect(try KindTexts.reading("place", text).problem != nil, "\(text)")
        }
        let error = #expect(throws: InspectionError.self) { try KindTexts.value("place", "151.21, -33.86") }
        #expect(error?.cause.contains("swapped") == true)
        #expect(
            #expect(throws: InspectionError.self) { try KindTexts.value("place", "95, 200") }?.cause.contains("swapped")
                == false)
    }
}
