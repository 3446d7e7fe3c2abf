extension OwnTexts {
    static let frenchInterface = #"""
        "OK" = "OK"; "Cancel" = "Annuler"; "Done" = "Terminé"; "Save" = "Enregistrer"; "Delete" = "Supprimer";
        "Edit" = "Modifier"; "Add" = "Ajouter"; "Remove" = "Retirer"; "Search" = "Rechercher"; "Close" = "Fermer";
        "Undo" = "Annuler l’action"; "Redo" = "Rétablir"; "Yes" = "Oui"; "No" = "Non"; "Back" = "Retour"; "Next" = "Suivant";
        "Previous" = "Précédent"; "Open" = "Ouvrir"; "Reload" = "Actualiser"; "Retry" = "Réessayer"; "Stop" = "Arrêter";
        "Choose" = "Choisir"; "Clear" = "Effacer"; "Copy" = "Copier"; "Import" = "Importer"; "Export" = "Exporter";
        "Settings" = "Réglages"; "Language" = "Langue"; "Today" = "Aujourd’hui"; "Now" = "Maintenant"; "None" = "Aucun";
        "All" = "Tous"; "Error" = "Erreur"; "Empty" = "Aucun objet"; "Waiting" = "En attente…"; "Cancelled" = "Annulé";
        "Progress" = "%1$lld sur %2$lld terminés";
        "DeleteQuestion" = "Supprimer « %@ » ?";
        "Unsaved" = "Certaines modifications ne sont pas enregistrées.";
        """#

    static let frenchInterfaceForms: [String: TextEntry] = [
        "Objects": .plural([.one: "%lld objet", .other: "%lld objets"]),
        "Selected": .plural([.one: "%lld objet sélectionné", .other: "%lld objets sélectionnés"]),
        "Changes": .plural([.one: "%lld modification", .other: "%lld modifications"]),
        "Days": .plural([.one: "%lld jour", .other: "%lld jours"]),
    ]

    static let frenchValidation = #"""
        "1550" = "« %1$@ » de l’entité « %2$@ » enfreint une règle du modèle.";
        "1551" = "« %1$@ » de l’entité « %2$@ » a une valeur qu’un autre objet possède déjà.";
        "1560" = "Plusieurs valeurs ne sont pas valides.";
        "1570" = "« %1$@ » de l’entité « %2$@ » est obligatoire et n’a pas de valeur.";
        "1580" = "« %1$@ » de l’entité « %2$@ » a moins d’objets que le modèle n’en exige (%3$@).";
        "1590" = "« %1$@ » de l’entité « %2$@ » a plus d’objets que le modèle n’en permet (%3$@).";
        "1600" = "Un objet de l’entité « %2$@ » ne peut pas être supprimé : sa relation « %1$@ » a encore %4$@.";
        "1610" = "« %1$@ » de l’entité « %2$@ » est supérieur à ce que permet le modèle (%3$@).";
        "1620" = "« %1$@ » de l’entité « %2$@ » est inférieur à ce que permet le modèle (%3$@).";
        "1630" = "« %1$@ » de l’entité « %2$@ » est postérieur à ce que permet le modèle (%3$@).";
        "1640" = "« %1$@ » de l’entité « %2$@ » est antérieur à ce que permet le modèle (%3$@).";
        "1650" = "« %1$@ » de l’entité « %2$@ » n’est pas une date.";
        "1660" = "« %1$@ » de l’entité « %2$@ » est plus long que ne le permet le modèle (%3$@).";
        "1670" = "« %1$@ » de l’entité « %2$@ » est plus court que ne le permet le modèle (%3$@).";
        "1680" = "« %1$@ » de l’entité « %2$@ » ne correspond pas au motif exigé par le modèle (%3$@).";
        "1690" = "« %1$@ » de l’entité « %2$@ » n’est pas un URI.";
        "reason" = "La règle de « %1$@ » est : %3$@. La valeur est : %4$@.";
        "suggestion" = "Donnez à « %1$@ » une valeur qui respecte la règle : %3$@.";
        "suggestion.1551" = "Donnez à « %1$@ » une valeur qu’aucun autre objet ne possède.";
        "suggestion.1560" = "Corrigez chacune d’elles.";
        "suggestion.1570" = "Donnez une valeur à « %1$@ ».";
        "suggestion.1580" = "Ajoutez des objets à « %1$@ » : %3$@.";
        "suggestion.1590" = "Retirez des objets de « %1$@ » : %3$@.";
        "suggestion.1600" = "Supprimez d’abord ce à quoi mène « %1$@ », ou changez cette relation.";
        "rule.minimum" = "au moins %@"; "rule.maximum" = "au plus %@";
        "rule.earliest" = "pas avant le %@"; "rule.latest" = "pas après le %@";
        "rule.pattern" = "une correspondance au motif %@"; "rule.value" = "une valeur est obligatoire";
        "rule.object" = "un objet est obligatoire"; "rule.date" = "une date"; "rule.uri" = "un URI";
        "rule.unique" = "aucun autre objet ne possède la valeur";
        "rule.noneLeft" = "il ne doit rester aucun objet (règle de suppression Deny)";
        "value.none" = "aucune"; "value.text" = "« %@ »";
        """#

    static let frenchValidationForms: [String: TextEntry] = [
        "rule.minimumLength": .plural([.one: "au moins %lld caractère", .other: "au moins %lld caractères"]),
        "rule.maximumLength": .plural([.one: "au plus %lld caractère", .other: "au plus %lld caractères"]),
        "rule.minimumCount": .plural([.one: "au moins %lld objet", .other: "au moins %lld objets"]),
        "rule.maximumCount": .plural([.one: "au plus %lld objet", .other: "au plus %lld objets"]),
        "value.objects": .plural([.one: "%lld objet", .other: "%lld objets"]),
        "value.bytes": .plural([.one: "%lld octet", .other: "%lld octets"]),
    ]
}
