# The comparison behind Scripts/check-layers: reads Docs/Architecture.md first, then every Swift file.
# `modules` holds the folders of the modules in Sources/, as level/module, separated by blanks.

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

# The rows are in order: a module stands below those that may import it.
function is_below(module, other) { return row_line[module] < row_line[other] }

function close_table(    module, key, parts) {
    table_closed = 1
    if (rows == 0) complain("Docs/Architecture.md:1", "no table with the columns “module” and “may import”")
    for (module in level)
        if (!(module in folder)) complain("Docs/Architecture.md:" row_line[module], "there is no module " module " in Sources")
        else if (folder[module] != level[module])
            complain("Docs/Architecture.md:" row_line[module], module " lies in Sources/" folder[module] ", not in Sources/" level[module])
    for (module in folder)
        if (!(module in level)) complain("Docs/Architecture.md:1", "no row for the module Sources/" folder[module] "/" module)
    for (key in allowed) {
        split(key, parts, SUBSEP)
        if ((parts[2] in level) && (parts[1] in level) && !is_below(parts[2], parts[1]))
            complain("Docs/Architecture.md:" row_line[parts[1]], parts[1] " may not import " parts[2] ": it is not below")
    }
}

function module_of(path,    parts) { split(path, parts, "/"); return parts[3] }

# A type of another module that is looked up by its name needs the word "(by name)" behind the module in the row.
function check_names(line,    module, name) {
    module = module_of(FILENAME)
    while (match(line, /"[A-Za-z_][A-Za-z0-9_]*\.[A-Z][A-Za-z0-9_]*"/)) {
        name = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        sub(/\..*/, "", name)
        if (name != module && (name in level) && !((module SUBSEP name) in allowed) && !((module SUBSEP name) in named))
            complain(FILENAME ":" FNR, module " names a type of " name ", see Docs/Architecture.md")
    }
}

function check_import(statement,    module) {
    sub(/^.*import[ \t]+/, "", statement)
    sub(/^(struct|class|enum|protocol|typealias|func|let|var|actor|macro)[ \t]+/, "", statement)
    gsub(/`/, "", statement)
    sub(/[^A-Za-z0-9_].*$/, "", statement)
    module = module_of(FILENAME)
    if (statement == module || !(module in level)) return
    if ((module SUBSEP statement) in allowed || ("every module" SUBSEP statement) in allowed) return
    if (statement in level) complain(FILENAME ":" FNR, module " may not import " statement ", see Docs/Architecture.md")
    else complain(FILENAME ":" FNR, module " imports " statement ", which its row in Docs/Architecture.md does not name")
}

BEGIN {
    count = split(modules, folders, " ")
    for (i = 1; i <= count; i++) {
        split(folders[i], parts, "/")
        folder[parts[2]] = parts[1]
    }
}

FILENAME == "Docs/Architecture.md" {
    if ($0 ~ /^\|.*module.*\|.*may import/) { in_table = 1; next }
    if ($0 !~ /^\|/) in_table = 0
    if (!in_table || $0 ~ /^\|[-:| ]+\|$/) next
    cells = split($0, cell, "|")
    row_level = cell[2]
    gsub(/[ \t]/, "", row_level)
    rows++
    may = cell[cells - 1]
    names = 0
    while (match(may, /`[A-Za-z]+` \(by name\)/)) {
        by_name[++names] = substr(may, RSTART + 1, RLENGTH - 12)
        may = substr(may, 1, RSTART - 1) substr(may, RSTART + RLENGTH)
    }
    imports = names_in(may, import_names)
    if (row_level != level_before && (row_level in seen))
        complain("Docs/Architecture.md:" FNR, "the rows of the level " row_level " do not stand together")
    seen[row_level] = 1
    level_before = row_level
    if (cell[3] ~ /every module/) { owners = 1; owner_names[1] = "every module" }
    else owners = names_in(cell[3], owner_names)
    for (o = 1; o <= owners; o++) {
        if (owner_names[o] != "every module") { level[owner_names[o]] = row_level; row_line[owner_names[o]] = FNR }
        for (i = 1; i <= imports; i++) allowed[owner_names[o], import_names[i]] = 1
        for (i = 1; i <= names; i++) named[owner_names[o], by_name[i]] = 1
    }
    next
}

FNR == 1 {
    if (!table_closed) close_table()
    comment_depth = 0
    in_text = 0
    looks_up = 0
}

# The names of types stand in the file that looks them up.
FNR == 1 { delete quoted; quotes = 0 }
/_typeByName/ && !looks_up {
    looks_up = 1
    # What stood before the first lookup.
    last = FNR
    for (q = 1; q <= quotes; q++) { FNR = quoted_line[q]; check_names(quoted[q]) }
    FNR = last
}
/"[A-Za-z_]+\.[A-Z]/ {
    if (looks_up) check_names($0)
    else { quoted[++quotes] = $0; quoted_line[quotes] = FNR }
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
