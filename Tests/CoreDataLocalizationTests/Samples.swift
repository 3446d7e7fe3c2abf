/// Files of texts in the formats that Xcode writes.
enum Samples {
    static let stringsdict = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <!-- Two variables in one text -->
            <key>filesInFolders</key>
            <dict>
                <key>NSStringLocalizedFormatKey</key>
                <string>%1$@: %2$#@files@ in %3$#@folders@ &amp; more</string>
                <key>files</key>
                <dict>
                    <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
                    <key>NSStringFormatValueTypeKey</key><string>d</string>
                    <key>zero</key><string>no files</string>
                    <key>one</key><string>%d file</string>
                    <key>other</key><string>%d files</string>
                </dict>
                <key>folders</key>
                <dict>
                    <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
                    <key>NSStringFormatValueTypeKey</key><string>lu</string>
                    <key>one</key><string>one folder</string>
                    <key>other</key><string>%lu folders</string>
                </dict>
            </dict>
            <key>nested</key>
            <dict>
                <key>NSStringLocalizedFormatKey</key><string>%#@people@</string>
                <key>people</key>
                <dict>
                    <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
                    <key>NSStringFormatValueTypeKey</key><string>d</string>
                    <key>one</key><string>%d person with %#@dogs@</string>
                    <key>other</key><string>%d people with %#@dogs@</string>
                </dict>
                <key>dogs</key>
                <dict>
                    <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
                    <key>NSStringFormatValueTypeKey</key><string>d</string>
                    <key>one</key><string>%d dog</string>
                    <key>other</key><string>%d dogs</string>
                </dict>
            </dict>
            <key>wide</key>
            <dict>
                <key>NSStringVariableWidthRuleType</key>
                <dict><key>5</key><string>Short</string><key>20</key><string>A longer text</string></dict>
            </dict>
            <key>device</key>
            <dict>
                <key>NSStringDeviceSpecificRuleType</key>
                <dict><key>iphone</key><string>Tap</string><key>other</key><string>Click</string></dict>
            </dict>
        </dict>
        </plist>
        """

    static let catalog = """
        {
          "sourceLanguage" : "en",
          "version" : "1.0",
          "strings" : {
            "Hello" : {},
            "Brand" : { "shouldTranslate" : false, "localizations" : {
              "de" : { "stringUnit" : { "state" : "translated", "value" : "Marke" } } } },
            "%lld files" : {
              "comment" : "A count",
              "extractionState" : "manual",
              "localizations" : {
                "en" : { "variations" : { "plural" : {
                  "one" : { "stringUnit" : { "state" : "new", "value" : "%lld file" } },
                  "other" : { "stringUnit" : { "state" : "new", "value" : "%lld files" } } } } },
                "de" : { "variations" : { "plural" : {
                  "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld Datei" } },
                  "other" : { "stringUnit" : { "state" : "needs_review", "value" : "%lld Dateien" } } } } },
                "fr" : { "stringUnit" : { "state" : "new", "value" : "" } }
              }
            },
            "Press" : { "localizations" : { "en" : { "variations" : { "device" : {
              "iphone" : { "stringUnit" : { "state" : "translated", "value" : "Tap" } },
              "other" : { "variations" : { "plural" : {
                "one" : { "stringUnit" : { "state" : "translated", "value" : "Click once" } },
                "other" : { "stringUnit" : { "state" : "translated", "value" : "Click %lld times" } } } } } } } } } },
            "Birds" : { "localizations" : { "en" : {
              "stringUnit" : { "state" : "translated", "value" : "%#@birds@ in %#@trees@ for %3$@" },
              "substitutions" : {
                "birds" : { "argNum" : 1, "formatSpecifier" : "lld", "variations" : { "plural" : {
                  "one" : { "stringUnit" : { "state" : "translated", "value" : "%arg bird" } },
                  "other" : { "stringUnit" : { "state" : "translated", "value" : "%arg birds" } } } } },
                "trees" : { "argNum" : 2, "formatSpecifier" : "lld", "variations" : { "plural" : {
                  "one" : { "stringUnit" : { "state" : "translated", "value" : "%arg tree" } },
                  "other" : { "stringUnit" : { "state" : "translated", "value" : "%arg trees" } } } } } } } } }
          }
        }
        """
}
