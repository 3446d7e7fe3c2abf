import Foundation

/// The library's own texts in English, German, French and Arabic: buttons and messages of the interface, and validation errors.
///
/// They are compiled into the module rather than kept in a resource bundle: a bundle must be found at run time, beside a tool that was
/// installed or linked statically too, and who links the module pays for it without using it. They are in the syntax of `.strings`
/// files, which the module's own reader reads once.
public enum OwnTexts {
    /// The table of the interface: buttons and short messages, by their English names such as `Done`.
    public static let interfaceTable = "Interface"
    /// The table of validation errors, by codes such as `1570`; see `ValidationText`.
    public static let validationTable = "Validation"
    /// The languages that have all texts.
    public static let languages = ["ar", "de", "en", "fr"]

    /// The tables; a program may copy and extend them.
    public static let tables: StringTables = {
        var tables = StringTables()
        add(englishInterface, englishInterfaceForms, englishValidation, englishValidationForms, "en", to: &tables)
        add(germanInterface, germanInterfaceForms, germanValidation, germanValidationForms, "de", to: &tables)
        add(frenchInterface, frenchInterfaceForms, frenchValidation, frenchValidationForms, "fr", to: &tables)
        add(arabicInterface, arabicInterfaceForms, arabicValidation, arabicValidationForms, "ar", to: &tables)
        return tables
    }()

    /// The text of the interface for a key, such as `Fertig` for `Done`; the key where there is none.
    public static func interface(
        _ key: String, languages: [LanguageTag], arguments: [TextArgument] = [], locale: Locale? = nil
    ) -> String {
        tables.text(key, table: interfaceTable, languages: languages, arguments: arguments, locale: locale)
    }

    private static func add(
        _ interface: String, _ interfaceForms: [String: TextEntry], _ validation: String,
        _ validationForms: [String: TextEntry], _ language: String, to tables: inout StringTables
    ) {
        for (source, forms, table) in [
            (interface, interfaceForms, interfaceTable), (validation, validationForms, validationTable),
        ] {
            // The tests read each table; one with an error would be empty here.
            let texts = (try? StringsFile(Data(source.utf8)).texts) ?? [:]
            tables.add(texts.mapValues { TextEntry(.text($0)) }, language: language, table: table)
            tables.add(forms, language: language, table: table)
        }
    }
}
