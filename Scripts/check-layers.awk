# The comparison behind Scripts/check-layers: reads Docs/Architecture.md first, then every Swift file.
# `modules` holds the names of the folders in Sources/, separated by blanks.

# Removes comments and the inside of string literals from a line; remembers open ones for the next line.
function code_of(line,    result, rest) {
    result = ""
    while (line != "") {
        rest = substr(line, 2)
        if (comment_depth > 0) {
            if (line ~ /^\*\//) { comment_depth--; line = substr(line, 3); continue }
            if (line ~ /^\/\*/) { comment_depth++; line = substr(line, 3); continue }
            line = rest
            continue
        }
        if (in_text) {
            if (line ~ /^"""/) { in_text = 0; line = substr(line, 4); continue }
            line = rest
            continue
        }
        if (line ~ /^\/\//) return result
        if (line ~ /^\/\*/) { comment_depth++; line = substr(line, 3); continue }
        if (line ~ /^"""/) { in_text = 1; line = substr(line, 4); continue }
        if (line ~ /^"/) { line = after_string(rest); continue }
        result = result substr(line, 1, 1)
        line = rest
    }
    return result
}

# What follows the closing quote of a one-line string literal.
function after_string(line) {
    while (line != "") {
        if (line ~ /^\\/) { line = substr(line, 3); continue }
        if (line ~ /^"/) return substr(line, 2)
        line = substr(line, 2)
    }
    return ""
}

# Splits a cell of the table into its names, without backticks and words that are not names.
function names_in(cell, names) {
    gsub(/[`,;]/, " ", cell)
    return split(cell, names, " ")
}

function complain(place, text) {
    print place ": " text > "/dev/stderr"
    complaints++
}

function level_of(module) { return level[module] == "–" ? 1000 : level[module] + 0 }

function close_table(    module, key, parts) {
    table_closed = 1
    if (rows == 0) complain("Docs/Architecture.md:1", "no table with the columns “module” and “may import”")
    for (module in level)
        if (!(module in exists)) complain("Docs/Architecture.md:" row_line[module], "there is no module Sources/" module)
    for (module in exists)
        if (!(module in level)) complain("Docs/Architecture.md:1", "no row for the module Sources/" module)
    for (key in allowed) {
        split(key, parts, SUBSEP)
        if ((parts[2] in level) && (parts[1] in level) && level_of(parts[2]) >= level_of(parts[1]))
            complain("Docs/Architecture.md:" row_line[parts[1]], parts[1] " may not import " parts[2] ": it is not below")
    }
}

function check_import(statement,    module, file_parts) {
    sub(/^.*import[ \t]+/, "", statement)
    sub(/^(struct|class|enum|protocol|typealias|func|let|var|actor|macro)[ \t]+/, "", statement)
    gsub(/`/, "", statement)
    sub(/[^A-Za-z0-9_].*$/, "", statement)
    split(FILENAME, file_parts, "/")
    module = file_parts[2]
    if (statement == module || !(module in level)) return
    if ((module SUBSEP statement) in allowed || ("every module" SUBSEP statement) in allowed) return
    if (statement in level) complain(FILENAME ":" FNR, module " may not import " statement ", see Docs/Architecture.md")
    else complain(FILENAME ":" FNR, module " imports " statement ", which its row in Docs/Architecture.md does not name")
}

BEGIN {
    count = split(modules, folders, " ")
    for (i = 1; i <= count; i++) exists[folders[i]] = 1
}

FILENAME == "Docs/Architecture.md" {
    if ($0 ~ /^\|.*module.*\|.*may import/) { in_table = 1; next }
    if ($0 !~ /^\|/) in_table = 0
    if (!in_table || $0 ~ /^\|[-:| ]+\|$/) next
    cells = split($0, cell, "|")
    row_level = cell[2]
    gsub(/[ \t]/, "", row_level)
    rows++
    imports = names_in(cell[cells - 1], import_names)
    if (cell[3] ~ /every module/) { owners = 1; owner_names[1] = "every module" }
    else owners = names_in(cell[3], owner_names)
    for (o = 1; o <= owners; o++) {
        if (owner_names[o] != "every module") { level[owner_names[o]] = row_level; row_line[owner_names[o]] = FNR }
        for (i = 1; i <= imports; i++) allowed[owner_names[o], import_names[i]] = 1
    }
    next
}

FNR == 1 {
    if (!table_closed) close_table()
    comment_depth = 0
    in_text = 0
}

# Most lines can be passed over quickly: only these can hold an import, or open or close what hides one.
comment_depth > 0 || in_text || /import/ || /\/\*/ || /"""/ {
    statements = split(code_of($0), statement, ";")
    for (s = 1; s <= statements; s++)
        if (statement[s] ~ /^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|public|package|internal|fileprivate|private)[ \t]+)*import[ \t]+[`A-Za-z_]/)
            check_import(statement[s])
}

END {
    if (!table_closed) close_table()
    exit complaints > 0
}
