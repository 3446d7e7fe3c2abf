extension OwnTexts {
    static let germanInterface = #"""
        "OK" = "OK"; "Cancel" = "Abbrechen"; "Done" = "Fertig"; "Save" = "Sichern"; "Delete" = "Löschen";
        "Edit" = "Bearbeiten"; "Add" = "Hinzufügen"; "Remove" = "Entfernen"; "Search" = "Suchen"; "Close" = "Schließen";
        "Undo" = "Widerrufen"; "Redo" = "Wiederholen"; "Yes" = "Ja"; "No" = "Nein"; "Back" = "Zurück"; "Next" = "Weiter";
        "Previous" = "Zurück"; "Open" = "Öffnen"; "Reload" = "Neu laden"; "Retry" = "Erneut versuchen"; "Stop" = "Stopp";
        "Choose" = "Auswählen"; "Clear" = "Leeren"; "Copy" = "Kopieren"; "Import" = "Importieren";
        "Export" = "Exportieren"; "Settings" = "Einstellungen"; "Language" = "Sprache"; "Today" = "Heute"; "Now" = "Jetzt";
        "None" = "Keine"; "All" = "Alle"; "Error" = "Fehler"; "Empty" = "Keine Objekte"; "Waiting" = "Warten …";
        "Cancelled" = "Abgebrochen";
        "Progress" = "%1$lld von %2$lld erledigt";
        "DeleteQuestion" = "„%@“ löschen?";
        "Unsaved" = "Es gibt Änderungen, die nicht gesichert sind.";
        """#

    static let germanInterfaceForms: [String: TextEntry] = [
        "Objects": .plural([.one: "%lld Objekt", .other: "%lld Objekte"]),
        "Selected": .plural([.one: "%lld Objekt ausgewählt", .other: "%lld Objekte ausgewählt"]),
        "Changes": .plural([.one: "%lld Änderung", .other: "%lld Änderungen"]),
        "Days": .plural([.one: "%lld Tag", .other: "%lld Tage"]),
    ]

    static let germanValidation = #"""
        "1550" = "„%1$@“ der Entität „%2$@“ verletzt eine Regel des Modells.";
        "1551" = "„%1$@“ der Entität „%2$@“ hat einen Wert, den schon ein anderes Objekt hat.";
        "1560" = "Mehrere Werte sind nicht gültig.";
        "1570" = "„%1$@“ der Entität „%2$@“ ist erforderlich und hat keinen Wert.";
        "1580" = "„%1$@“ der Entität „%2$@“ hat weniger Objekte, als das Modell verlangt (%3$@).";
        "1590" = "„%1$@“ der Entität „%2$@“ hat mehr Objekte, als das Modell erlaubt (%3$@).";
        "1600" = "Ein Objekt der Entität „%2$@“ kann nicht gelöscht werden: Seine Beziehung „%1$@“ hat noch %4$@.";
        "1610" = "„%1$@“ der Entität „%2$@“ ist größer, als das Modell erlaubt (%3$@).";
        "1620" = "„%1$@“ der Entität „%2$@“ ist kleiner, als das Modell erlaubt (%3$@).";
        "1630" = "„%1$@“ der Entität „%2$@“ ist später, als das Modell erlaubt (%3$@).";
        "1640" = "„%1$@“ der Entität „%2$@“ ist früher, als das Modell erlaubt (%3$@).";
        "1650" = "„%1$@“ der Entität „%2$@“ ist kein Datum.";
        "1660" = "„%1$@“ der Entität „%2$@“ ist länger, als das Modell erlaubt (%3$@).";
        "1670" = "„%1$@“ der Entität „%2$@“ ist kürzer, als das Modell erlaubt (%3$@).";
        "1680" = "„%1$@“ der Entität „%2$@“ entspricht nicht dem Muster, das das Modell verlangt (%3$@).";
        "1690" = "„%1$@“ der Entität „%2$@“ ist kein URI.";
        "reason" = "Die Regel für „%1$@“ lautet: %3$@. Der Wert ist: %4$@.";
        "suggestion" = "Geben Sie „%1$@“ einen Wert, der die Regel einhält: %3$@.";
        "suggestion.1551" = "Geben Sie „%1$@“ einen Wert, den kein anderes Objekt hat.";
        "suggestion.1560" = "Berichtigen Sie jeden einzelnen.";
        "suggestion.1570" = "Geben Sie „%1$@“ einen Wert.";
        "suggestion.1580" = "Fügen Sie „%1$@“ Objekte hinzu: %3$@.";
        "suggestion.1590" = "Nehmen Sie Objekte aus „%1$@“ heraus: %3$@.";
        "suggestion.1600" = "Löschen Sie zuerst, worauf „%1$@“ verweist, oder ändern Sie den Verweis.";
        "rule.minimum" = "mindestens %@"; "rule.maximum" = "höchstens %@";
        "rule.earliest" = "nicht vor dem %@"; "rule.latest" = "nicht nach dem %@";
        "rule.pattern" = "eine Entsprechung des Musters %@"; "rule.value" = "ein Wert ist erforderlich";
        "rule.object" = "ein Objekt ist erforderlich"; "rule.date" = "ein Datum"; "rule.uri" = "ein URI";
        "rule.unique" = "kein anderes Objekt hat den Wert";
        "rule.noneLeft" = "es dürfen keine Objekte übrig sein (Löschregel „Deny“)";
        "value.none" = "keiner"; "value.text" = "„%@“";
        """#

    static let germanValidationForms: [String: TextEntry] = [
        "rule.minimumLength": .plural([.other: "mindestens %lld Zeichen"]),
        "rule.maximumLength": .plural([.other: "höchstens %lld Zeichen"]),
        "rule.minimumCount": .plural([.one: "mindestens %lld Objekt", .other: "mindestens %lld Objekte"]),
        "rule.maximumCount": .plural([.one: "höchstens %lld Objekt", .other: "höchstens %lld Objekte"]),
        "value.objects": .plural([.one: "%lld Objekt", .other: "%lld Objekte"]),
        "value.bytes": .plural([.one: "%lld Byte", .other: "%lld Bytes"]),
    ]
}
