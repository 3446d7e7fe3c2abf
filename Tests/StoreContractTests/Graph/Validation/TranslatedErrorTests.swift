import CoreData
import StoreContract
import Testing

@Suite(.serialized) struct TranslatedErrorTests {
    /// The texts of this suite's entity alone, since other tests make errors at the same time.
    private static func translated(_ english: String) -> String? {
        switch english {
        case "'Wort' of entity 'Sprecher' is required and has no value.": "„Wort“ von „Sprecher“ fehlt."
        case "The rule of 'Wort' is: a value is required. The value is: none.": "„Wort“ ist erforderlich."
        case "Give 'Wort' a value.": "Geben Sie „Wort“ einen Wert."
        default: nil
        }
    }

    @Test("the texts of validation errors follow the language that the program chose, with the model's names (L10N-04)")
    func translated() throws {
        let builder = ModelBuilder()
        builder.entity("Polyglot", ["word": .stringAttributeType])["word"]?.isOptional = false
        builder.model.localizationDictionary = ["Entity/Polyglot": "Sprecher", "Property/word": "Wort"]
        let stack = try Stack(builder.model)
        stack.context.insert("Polyglot")
        #expect(CoreDataErrorTexts.translation == nil)
        CoreDataErrorTexts.translation = Self.translated
        defer { CoreDataErrorTexts.translation = nil }
        let german = try #require(stack.context.failuresOfSave().first)
        #expect(german.localizedDescription == "„Wort“ von „Sprecher“ fehlt.")
        #expect(german.localizedFailureReason == "„Wort“ ist erforderlich.")
        #expect(german.localizedRecoverySuggestion == "Geben Sie „Wort“ einen Wert.")
        #expect(german.code == NSValidationMissingMandatoryPropertyError)
        CoreDataErrorTexts.translation = { _ in nil }
        let english = try #require(stack.context.failuresOfSave().first)
        #expect(english.localizedDescription == "'Wort' of entity 'Sprecher' is required and has no value.")
    }
}

extension NSEntityDescription {
    fileprivate subscript(name: String) -> NSAttributeDescription? { attributesByName[name] }
}
