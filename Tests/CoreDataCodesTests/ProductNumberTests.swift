import CoreDataCodes
import Testing

/// Numbers of products and their check digits.
@Suite struct ProductNumberTests {
    @Test(
        "CAM-05: EAN and UPC are compared as 13 digits",
        arguments: [
            ("4006381333931", "4006381333931"), ("036000291452", "0036000291452"), ("0036000291452", "0036000291452"),
            ("96385074", "0000096385074"), ("4 006381 333931", "4006381333931"), ("978-3-16-148410-0", "9783161484100"),
        ])
    func thirteenDigits(text: String, digits: String) {
        #expect(ProductNumber(text)?.digits == digits)
    }

    @Test(
        "CAM-05: texts with a wrong check digit, length or character are refused",
        arguments: [
            "4006381333932", "036000291453", "", "12", "40063813339310", "400638133393x", "٤٠٠٦٣٨١٣٣٣٩٣١", "-- ",
        ])
    func wrongNumbers(text: String) {
        #expect(ProductNumber(text) == nil)
    }

    @Test(
        "CAM-05: a UPC-E is the UPC-A that it shortens",
        arguments: [
            ("01234565", "0012345000065"), ("04252614", "0042100005264"), ("01234531", "0012300000451"),
            ("01234543", "0012340000053"),
        ])
    func shortNumbers(text: String, digits: String) {
        #expect(ProductNumber(upcE: text)?.digits == digits)
        #expect(ProductNumber(upcE: String(text.dropLast()) + (text.last == "9" ? "8" : "9")) == nil)
    }

    @Test("CAM-05: check digits are computed")
    func checkDigits() {
        #expect(ProductNumber.checkDigit(of: "400638133393") == 1)
        #expect(ProductNumber.checkDigit(of: "03600029145") == 2)
        #expect(ProductNumber.checkDigit(of: "letters") == nil)
    }
}
