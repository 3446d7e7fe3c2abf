import CoreData
import CoreDataWorkbench
import StoreContract
import Testing

@Suite("Errors in detail")
struct ErrorDetailTests {
    @Test("each error of a save stands on a line of its own with domain, code and what to do, and no value (TOOL-21)")
    func eachErrorOfSaveStandsOnLineOfItsOwnWithDomain() throws {
        let builder = ModelBuilder()
        let entity = builder.entity("Note", ["title": .stringAttributeType, "rank": .integer16AttributeType])
        for attribute in entity.attributesByName.values { attribute.isOptional = false }
        let stack = try Stack(builder.model)
        stack.context.insert("Note", [:])
        let error = #expect(throws: (any Error).self) { try stack.context.save() }
        let lines = ErrorDetail.log(try #require(error))
        #expect(lines.count == 3 && lines[0].hasPrefix("Unresolved error NSCocoaErrorDomain 1560"), "\(lines)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  - NSCocoaErrorDomain 1570") }, "\(lines)")
        #expect(
            lines.dropFirst().sorted().last?.hasSuffix(
                "(give the value that is missing) NSValidationErrorObject=Note NSValidationErrorKey=title") == true,
            "\(lines)")
        #expect(lines[0].contains(" NSValidationMultipleErrorsError: "), "\(lines)")
        #expect(ErrorDetail.logOfSeveral(NSError(domain: "One", code: 1)).isEmpty)
    }

    @Test("an error that says nothing of itself is shown by the name of its code (TOOL-21)")
    func errorThatSaysNothingOfItselfIsShownByNameOfItsCode() {
        let code = NSError(domain: NSCocoaErrorDomain, code: NSValidationStringTooLongError)
        #expect(ErrorText.line(for: code).hasPrefix("NSValidationStringTooLongError: A text is longer"))
        let full = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))
        #expect(ErrorText.line(for: full) == "No space left on device.")
        #expect(ErrorText.line(for: NSError(domain: "Own", code: 7)).contains("7"))
    }

    @Test("errors beneath others are listed, and endless chains are cut (TOOL-21)")
    func errorsBeneathOthersAreListed() {
        var error = NSError(domain: "Bottom", code: 1)
        for code in 2...50 { error = NSError(domain: "Above", code: code, userInfo: [NSUnderlyingErrorKey: error]) }
        let details = ErrorDetail.all(of: error)
        #expect(details.count == 9 && details.map(\.depth) == Array(0...8) && details[1].code == 49)
    }
}
